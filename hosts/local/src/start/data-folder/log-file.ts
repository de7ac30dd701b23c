import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import path from 'node:path'
import { finished } from 'node:stream/promises'
import { jsonLog, type Logger } from '@quipu/runtime'

export type LocalLog = { readonly log: Logger; stop(): Promise<void> }

export const logPath = (dataDir: string): string => path.join(dataDir, 'quipu.log')

/**
 * A log in the data folder, begun anew at each start; the one before is kept beside it. What is
 * wrong is also told on the terminal.
 */
export async function openLog(
  dataDir: string,
  level: Parameters<typeof jsonLog>[0],
): Promise<LocalLog> {
  const file = logPath(dataDir)
  await rename(file, `${file}.before`).catch(() => undefined) // There is none the first time.
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
