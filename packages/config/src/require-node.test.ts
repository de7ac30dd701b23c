import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Outcome, repository, run } from './command.ts'

const guard = join(repository, 'packages/runtime/require-node.mjs')

const preload = (source: string): string => `--import=data:text/javascript,${encodeURIComponent(source)}`

/** Makes Node report this version. */
const pretend = (version: string): string =>
  preload(`Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`)

/** Starts a program as the root scripts do, on a Node that reports this version. */
const startOn = (version: string): Promise<Outcome> => {
  const program = `console.log('started')`
  return run(['node', pretend(version), `--import=${guard}`, '--eval', program], repository)
}

/** Lets only the program and the guard load, as an old Node cannot parse what they import. */
const nothingElseLoads = preload(`
  import { registerHooks } from 'node:module'
  registerHooks({
    resolve(specifier, context, next) {
      const loads = !context.parentURL || specifier === '@quipu/runtime/require-node'
      if (!loads) throw new SyntaxError(specifier + ' cannot be loaded')
      return next(specifier, context)
    },
  })
`)

test.each(['20.20.2', '22.18.0', '23.11.1'])('no program starts on Node %s', async (version) => {
  const { code, output } = await startOn(version)
  expect(code).toBe(1)
  expect(output).toContain(`Quipu needs Node 24 or newer, and this is Node ${version}: `)
  expect(output).not.toContain('started')
})

test.each([
  'api/src/main.ts',
  'admin/src/main.ts',
  'worker/src/main.ts',
  'example/src/main.ts',
  'local/src/main.ts',
  'local/src/demo.ts',
])('on an old Node %s ends with one line, before anything else loads', async (program) => {
  const { code, output } = await run(
    ['node', '--conditions=source', pretend('20.20.2'), nothingElseLoads, `hosts/${program}`],
    repository,
  )
  expect(output).toMatch(/^Quipu needs Node 24 or newer, and this is Node 20\.20\.2: .*\n$/)
  expect(code).toBe(1)
})

test.each(['24.0.0', '26.10.0', '100.1.0'])('a program starts on Node %s', async (version) => {
  expect(await startOn(version)).toMatchObject({ code: 0, output: 'started\n' })
})

test.each(['start', 'demo', 'bench', 'test', 'check'])('%s begins with the guard', (script) => {
  const manifest = readFileSync(join(repository, 'package.json'), 'utf8')
  const { scripts } = JSON.parse(manifest) as { scripts: Record<string, string> }
  expect(scripts[script]).toMatch(/^node --import \.\/packages\/runtime\/require-node\.mjs /)
})

test('package.json and the documents name the first Node that the guard and the packages require', () => {
  const read = (file: string): string => readFileSync(join(repository, file), 'utf8')
  const engineOf = (file: string): string => (JSON.parse(read(file)) as { engines: { node: string } }).engines.node
  const ofPrograms = /^const required = (\d+)$/m.exec(readFileSync(guard, 'utf8'))?.[1] ?? ''
  expect(engineOf('package.json')).toBe(`>=${ofPrograms}`)
  expect(read('docs/operations/install.md')).toContain(`Node ${ofPrograms} or newer`)
  const ofPackages = engineOf('packages/core/package.json').replace(/^>=|\.0$/g, '')
  expect(read('docs/embedding.md')).toContain(`need Node ${ofPackages} or newer`)
  const ofClient = engineOf('packages/client/package.json').replace('>=', '')
  expect(read('packages/client/README.md')).toContain(`Node ${ofClient}`)
})
