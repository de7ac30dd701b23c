import { migrate } from '@quipu/postgres'
import { BadSettings, commonSettings, readSettings } from '@quipu/runtime'
import { z } from 'zod'

/** What is wrong, and why; no stack, and nothing of the URL. */
const reasons = (error: unknown): string =>
  error instanceof Error
    ? `${error.message}${error.cause === undefined ? '' : `: ${reasons(error.cause)}`}`
    : String(error)

try {
  const { DATABASE_URL } = commonSettings
  const settings = readSettings(z.object({ DATABASE_URL }), process.env)
  const ran = await migrate(settings.DATABASE_URL)
  for (const name of ran) process.stdout.write(`${name}\n`)
  process.stdout.write(`The database is up to date; migrations run: ${ran.length}.\n`)
} catch (error) {
  const isOurs = error instanceof BadSettings
  process.stderr.write(`${isOurs ? '' : 'The database was not migrated: '}${reasons(error)}\n`)
  process.exitCode = 1
}
