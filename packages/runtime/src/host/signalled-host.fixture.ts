import { once } from 'node:events'
import { z } from 'zod'
import { logLevels } from '../log/log.ts'
import { runHost } from './run-host.ts'

// A host whose start ends at SIGTERM, so that the signal always arrives during it.

const write = (text: string): void => void process.stdout.write(`${text}\n`)

await runHost({
  schema: z.object({ LOG_LEVEL: z.enum(logLevels).default('info') }),
  check: async () => ({ refusedLater: Promise.withResolvers<never>().promise }),
  start: async () => {
    write('starting')
    // A listener for a signal does not keep the process alive.
    const keepAlive = setInterval(() => {}, 60_000)
    await once(process, 'SIGTERM')
    clearInterval(keepAlive)
    write('started')
    return { stop: async () => write('stopped') }
  },
  refusals: [],
})
