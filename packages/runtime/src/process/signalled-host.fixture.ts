import { once } from 'node:events'
import { z } from 'zod'
import { logLevels, runHost } from '../index.ts'

// A host whose start ends when its input does.

const write = (text: string): void => void process.stdout.write(`${text}\n`)

await runHost({
  schema: z.object({ LOG_LEVEL: z.enum(logLevels).default('info') }),
  check: async () => ({ refusedLater: Promise.withResolvers<never>().promise }),
  start: async () => {
    write('starting')
    await once(process.stdin.resume(), 'end')
    write('started')
    return { stop: async () => write('stopped') }
  },
  refusals: [],
})
