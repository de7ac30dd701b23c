import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Outcome, repository, run } from './command.ts'

const guard = join(repository, 'packages/config/require-node.mjs')

/** Starts a program as the root scripts do, on a Node that says it is of this version. */
const startOn = (version: string): Promise<Outcome> => {
  const pretend = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`
  const program = `console.log('started')`
  const imports = [`--import=data:text/javascript,${pretend}`, `--import=${guard}`]
  return run(['node', ...imports, '--eval', program], repository)
}

test.each(['20.20.2', '22.18.0', '23.11.1'])('nothing starts on Node %s', async (version) => {
  const { code, output } = await startOn(version)
  expect(code).toBe(1)
  expect(output).toContain(`Quipu needs Node 24 or newer, and this is Node ${version}.`)
  expect(output).not.toContain('started')
})

test.each(['24.0.0', '26.10.0', '100.1.0'])('a program starts on Node %s', async (version) => {
  expect(await startOn(version)).toMatchObject({ code: 0, output: 'started\n' })
})

test.each(['start', 'demo', 'bench', 'test', 'check'])('%s begins with the guard', (script) => {
  const manifest = readFileSync(join(repository, 'package.json'), 'utf8')
  const { scripts } = JSON.parse(manifest) as { scripts: Record<string, string> }
  expect(scripts[script]).toMatch(/^node --import \.\/packages\/config\/require-node\.mjs /)
})
