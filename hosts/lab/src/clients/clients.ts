import { execFile } from 'node:child_process'
import { cp, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { ExampleSettings, startExample } from '@quipu/example'
import { jsonLog, readSettings } from '@quipu/runtime'
import { list } from '../run/options.ts'
import { subjectOf } from '../run/subject.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'

/** A command line; it ends with 0 when it succeeds. */
type Step = readonly [command: string, ...args: string[]]

/** A generator of clients, and a program that pays with it, in `clients/<name>`. */
type Client = { readonly generate: readonly Step[]; readonly compile: readonly Step[]; readonly pay: Step }

const npm = (command: string, ...args: string[]): Step => [`../node_modules/.bin/${command}`, ...args]

const typeScriptFlags =
  '--target es2022 --module esnext --moduleResolution bundler --strict --noEmit --allowImportingTsExtensions --lib es2022,dom,dom.iterable --types node'

const typescript = (...generate: Step[]): Client => ({
  generate,
  compile: [
    npm('tsc', ...typeScriptFlags.split(' '), 'pay.ts'),
    npm('esbuild', 'pay.ts', '--bundle', '--platform=node', '--format=esm', '--outfile=pay.mjs', '--log-level=error'),
  ],
  pay: ['node', 'pay.mjs'],
})

const openapiGenerator = (language: string, ...options: string[]): Step => {
  const generate = '-jar ../openapi-generator-cli-7.25.0.jar generate -i ../openapi.json -o client -g'
  return ['java', ...generate.split(' '), language, ...options]
}

const javaClasses = 'client/target/classes:client/target/dependency/*'

const clients: Readonly<Record<string, Client>> = {
  'openapi-typescript': typescript(npm('openapi-typescript', '../openapi.json', '-o', 'client.d.ts')),
  'hey-api': typescript(npm('openapi-ts', '-i', '../openapi.json', '-o', 'client')),
  orval: typescript(npm('orval', '--config', 'orval.config.mjs')),
  kubb: typescript(npm('kubb', 'generate', '--config', 'kubb.config.mjs')),
  'typescript-fetch': typescript(openapiGenerator('typescript-fetch')),
  python: {
    generate: [openapiGenerator('python')],
    compile: [
      ['python3', '-m', 'venv', 'venv'],
      ['venv/bin/pip', 'install', '-q', './client'],
    ],
    pay: ['venv/bin/python', 'pay.py'],
  },
  java: {
    generate: [openapiGenerator('java', '--library=native')],
    compile: [
      ['cp', 'Pay.java', 'client/src/main/java'],
      ['mvn', '-q', '-f', 'client', 'compile', 'dependency:copy-dependencies', '-DincludeScope=runtime'],
    ],
    pay: ['java', '-cp', javaClasses, 'Pay'],
  },
  go: { generate: [openapiGenerator('go')], compile: [['go', 'build', '-mod=mod', '-o', 'pay', '.']], pay: ['./pay'] },
}

/** Linters of the document; a warning is a failure. */
const linters: readonly Step[] = [
  ['node_modules/.bin/redocly', 'lint', 'openapi.json', '--max-problems=20', '--format=summary'],
  ['node_modules/.bin/spectral', 'lint', 'openapi.json', '--fail-severity=warn', '--quiet'],
]

const sources = path.resolve(import.meta.dirname, '../../clients')

/** Generates clients from the served document, compiles them, and pays with each at the example server. */
export const subject = subjectOf(
  { clients: list('the generators; all by default', Object.keys(clients)) },
  async ({ clients: chosen = Object.keys(clients) }, { say }) => {
    await using folder = await temporaryFolder('clients')
    const settings = readSettings(ExampleSettings, { PORT: '0' })
    const example = await startExample(settings, jsonLog('silent'), () => new Date())
    const env = { ...process.env, QUIPU_API_URL: example.url }
    const failures: string[] = []

    async function attempt(name: string, steps: readonly Step[], cwd: string, key = ''): Promise<string | undefined> {
      try {
        let output = ''
        for (const [command, ...args] of steps) {
          say(`${name}: ${[command, ...args].join(' ')}`)
          const ran = await promisify(execFile)(command, args, {
            cwd,
            env: { ...env, QUIPU_API_KEY: key },
            maxBuffer: 2 ** 26,
          })
          output = ran.stdout
        }
        return output
      } catch (error) {
        const { message, stdout = '' } = error as Error & { readonly stdout?: string }
        failures.push(`${name}: ${message}\n${stdout}`.slice(0, 4_000))
        return undefined
      }
    }

    await cp(sources, folder.path, { recursive: true })
    const document = await (await fetch(`${example.url}/v1/openapi.json`)).text()
    await writeFile(path.join(folder.path, 'openapi.json'), document)
    const generator = 'org.openapitools:openapi-generator-cli:7.25.0'
    await attempt('npm', [['npm', 'install', '--no-audit', '--no-fund', '--legacy-peer-deps']], folder.path)
    await attempt(
      'maven',
      [['mvn', '-q', 'dependency:copy', `-Dartifact=${generator}`, '-DoutputDirectory=.']],
      folder.path,
    )
    for (const linter of linters) await attempt('lint', [linter], folder.path)
    for (const name of chosen) {
      const { generate, compile, pay } = clients[name] as Client
      const paid = await attempt(name, [...generate, ...compile, pay], path.join(folder.path, name), `qpu_mock_${name}`)
      if (paid !== undefined && paid.trim() !== 'completed generated') failures.push(`${name} printed ${paid}`)
    }
    await example.stop()
    return { result: { clients: chosen.length }, failures }
  },
)
