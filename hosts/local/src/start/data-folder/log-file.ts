import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import path from 'node:path'
import { finished } from 'node:stream/promises'
import { jsonLog, type Logger } from '@quipu/runtime'

export type LocalLog = { readonly log: Logger; stop(): Promise<void> }

export const logPath = (dataDir: string): string => path.join(dataDir, 'quipu.log')

/**
 * Opens the log in the data folder. Each start begins a new file and keeps the previous one as
 * `quipu.log.before`. Errors also go to standard error.
 */
export async function openLog(dataDir: string, level: Parameters<typeof jsonLog>[0]): Promise<LocalLog> {
  const file = logPath(dataDir)
  await rename(file, `${file}.before`).catch(() => undefined) // The first start has none.
  const stream = createWriteStream(file, { mode: 0o600 })
  const log = jsonLog(level, {
    write(line) {
      stream.write(line)
      if (/^\{"level":"(error|fatal)"/.test(line)) process.stderr.write(line)
    },
  })
  return {
    log,
    async stop() {
      stream.end()
      await finished(stream)
    },
  }
}
