import { migrate } from '@quipu/postgres'
import { BadSettings, readSettings } from '@quipu/runtime'
import { MigrationSettings } from './settings/migration-settings.ts'

/** The message and its causes, without stacks. */
const messages = (error: unknown): string =>
  error instanceof Error
    ? `${error.message}${error.cause === undefined ? '' : `: ${messages(error.cause)}`}`
    : String(error)

try {
  const settings = readSettings(MigrationSettings, process.env)
  const ran = await migrate(settings.DATABASE_URL, {
    lockTimeoutMs: settings.MIGRATION_LOCK_TIMEOUT_MS,
    transactionTimeoutMs: settings.MIGRATION_TRANSACTION_TIMEOUT_MS,
    attempts: settings.MIGRATION_ATTEMPTS,
    notify: (line) => process.stderr.write(`${line}\n`),
  })
  for (const name of ran) process.stdout.write(`${name}\n`)
  process.stdout.write(`The database is up to date; migrations run: ${ran.length}.\n`)
} catch (error) {
  const isBadSettings = error instanceof BadSettings
  process.stderr.write(
    `${isBadSettings ? '' : 'The database was not migrated: '}${messages(error)}\n`,
  )
  process.exitCode = 1
}
