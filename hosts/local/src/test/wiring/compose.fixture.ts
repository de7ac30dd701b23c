import { text } from 'node:stream/consumers'
import { recordCalls } from './hooks.fixture.ts'
import { type Leaf, recorded, recording, startRecording } from './recorder.fixture.ts'

// A stop measures what is left of its time, and a host ends its process.
performance.now = () => 0
process.uptime = () => 0
globalThis.fetch = recording('fetch', async () => Promise.reject(new Error('not connected'))) as typeof fetch
process.stdout.setMaxListeners(0)
const { exit } = process
process.exit = (() => undefined) as never
const { write } = process.stdout
process.stdout.write = () => true
await recordCalls()

const [program = '', ...args] = process.argv.slice(2)
process.argv.splice(1, Infinity, program, ...args)
const envs = JSON.parse(await text(process.stdin)) as readonly NodeJS.ProcessEnv[]
const found: Readonly<Record<string, Leaf>>[] = []
// The first one also loads the modules, whose calls are none of a composition.
for (const [index, env] of [{ ...envs[0] }, ...envs].entries()) {
  process.env = env
  startRecording()
  await import(`../../../../../${program}?${index}`)
  if (index > 0) found.push(recorded())
}
process.stdout.write = write
process.stdout.write(JSON.stringify(found), () => exit(0))
