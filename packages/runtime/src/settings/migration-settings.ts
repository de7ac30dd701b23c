import { z } from 'zod'
import { commonSettings, whole } from './settings.ts'

const { CELL, DATABASE_URL, DATABASE_STANDBY } = commonSettings
type Standby = typeof DATABASE_STANDBY

/** The environment variables of `migrate`. */
export const MigrationSettings: z.ZodObject<{
  readonly CELL: z.ZodOptional<z.ZodString>
  readonly DATABASE_URL: z.ZodString
  readonly DATABASE_STANDBY: Standby
  readonly MIGRATION_LOCK_TIMEOUT_MS: z.ZodDefault<z.ZodCoercedNumber>
  readonly MIGRATION_TRANSACTION_TIMEOUT_MS: z.ZodDefault<z.ZodCoercedNumber>
  readonly MIGRATION_ATTEMPTS: z.ZodDefault<z.ZodCoercedNumber>
}> = z.object({
  CELL,
  DATABASE_URL,
  DATABASE_STANDBY,
  MIGRATION_LOCK_TIMEOUT_MS: whole(1, 600_000)
    .default(2_000)
    .describe('How long a migration waits for a lock; other writers of the table queue behind it.'),
  MIGRATION_TRANSACTION_TIMEOUT_MS: whole(0, 86_400_000)
    .default(5_000)
    .describe('How long a migration may hold its locks, 0 for no limit. Does not apply to an empty database.'),
  MIGRATION_ATTEMPTS: whole(1, 10_000).default(10).describe('Attempts of a migration that gets no lock.'),
})

/** The environment variables of a cell, for commands that run as the owner of its tables. */
export const CellSettings: z.ZodObject<{
  readonly CELL: z.ZodOptional<z.ZodString>
  readonly DATABASE_URL: z.ZodString
  readonly DATABASE_STANDBY: Standby
}> = z.object({ CELL, DATABASE_URL, DATABASE_STANDBY })

/** The environment variables of commands that run as the owner of the tables. */
export const OwnerSettings: z.ZodObject<{ readonly DATABASE_URL: z.ZodString; readonly DATABASE_STANDBY: Standby }> =
  z.object({ DATABASE_URL, DATABASE_STANDBY })
