import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import path from 'node:path'

const hosts = path.resolve(import.meta.dirname, '../../../..')
const recorder = pathToFileURL(path.join(import.meta.dirname, 'recorder.fixture.ts')).href
const fakes = pathToFileURL(path.join(import.meta.dirname, 'fakes.fixture.ts')).href

/** Files of hosts whose exported functions are recorded like those of packages: what settings reach through them. */
const ownFiles = new Set(
  [
    'worker/src/loop/claim-loop.ts',
    'worker/src/loop/started-loops.ts',
    'worker/src/deposit/scan-loop.ts',
    'worker/src/deposit/credit-watch.ts',
    'worker/src/maintenance/ledger-watch.ts',
    'worker/src/maintenance/audit-checkpoints.ts',
    'worker/src/reconciliation/liquidity-loop.ts',
    'worker/src/webhook/enqueue-loop.ts',
    'worker/src/webhook/wake-loop.ts',
    'worker/src/webhook/queue-health.ts',
    'worker/src/webhook/dead-letter-watch.ts',
    'worker/src/notice/notice-sender.ts',
    'worker/src/metrics/measured-sender.ts',
    'worker/src/metrics/measured-queue.ts',
    'api/src/public/public-app.ts',
    'api/src/operator/operator-app.ts',
    'api/src/fault/fault-watch.ts',
    'api/src/fault/market-guard.ts',
    'api/src/http/listener.ts',
    'example/src/http/middleware.ts',
    'example/src/key/key-states.ts',
    'admin/src/terminal.ts',
    'local/src/start/start-local.ts',
    'local/src/start/welcome.ts',
    '../packages/runtime/src/log/log.ts',
    '../packages/runtime/src/process/stop.ts',
  ].map((file) => pathToFileURL(path.join(hosts, file)).href),
)

/** The names that a module exports, of those of the recorded packages. */
const namesOf = new Map<string, readonly string[]>()

/** Entries of packages: adapters, use cases, and what hosts share. */
const entries = [
  ...['index', 'operator', 'adapter', 'system'].map((name) => `core/src/${name}.ts`),
  'tracing/src/sdk.ts',
  ...'openhub postgres qr-network rates reference runtime screening sqs tron webhook-http wire'
    .split(' ')
    .map((name) => `${name}/src/index.ts`),
].map((file) => pathToFileURL(path.join(hosts, '../packages', file)).href)

/** Records the calls of every function that these packages and files export, wherever hosts import it. */
export async function recordCalls(): Promise<void> {
  for (const entry of entries) namesOf.set(entry, Object.keys((await import(entry)) as object))
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context)
      const isOfHost = /\/hosts\/(?!local\/src\/test)|\?again$/.test(context.parentURL ?? '')
      const isRecorded = namesOf.has(found.url) || ownFiles.has(found.url)
      return isRecorded && isOfHost && !context.parentURL?.endsWith('?recorded')
        ? { ...found, url: `${found.url}?recorded`, format: 'module' }
        : found
    },
    load(url, context, next) {
      if (!url.endsWith('?recorded')) return next(url, context)
      const file = url.slice(0, -'?recorded'.length)
      return { format: 'module', source: wrapperOf(file), shortCircuit: true }
    },
  })
}

function wrapperOf(file: string): string {
  const source = readFileSync(fileURLToPath(file), 'utf8')
  const own = Array.from(source.matchAll(/^export (?:async )?(?:const|function|class) (\w+)/gm))
  const names = namesOf.get(file) ?? own.map(([, name = '']) => name)
  return [
    `import * as original from ${JSON.stringify(file)}`,
    `import { recording } from ${JSON.stringify(recorder)}`,
    `import { fakes } from ${JSON.stringify(fakes)}`,
    'const of = (name, value) => typeof value === "function" && !/^[A-Z]/.test(name) ? recording(name, value, fakes[name]?.(value)) : value',
    ...names.map((name) => `const _${name} = of('${name}', original.${name})`),
    `export { ${names.map((name) => `_${name} as ${name}`).join(', ')} }`,
  ].join('\n')
}
