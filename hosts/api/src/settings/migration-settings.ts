import { commonSettings, whole } from '@quipu/runtime'
import { z } from 'zod'

const { DATABASE_URL } = commonSettings

/** What `migrate` reads from its environment. */
export const MigrationSettings: z.ZodObject<{
  readonly DATABASE_URL: z.ZodString
  readonly MIGRATION_LOCK_TIMEOUT_MS: z.ZodDefault<z.ZodCoercedNumber>
  readonly MIGRATION_TRANSACTION_TIMEOUT_MS: z.ZodDefault<z.ZodCoercedNumber>
  readonly MIGRATION_ATTEMPTS: z.ZodDefault<z.ZodCoercedNumber>
}> = z.object({
  DATABASE_URL,
  MIGRATION_LOCK_TIMEOUT_MS: whole(1, 600_000)
    .default(2_000)
    .describe('How long a migration waits for a lock. Writers of the table wait behind it.'),
  MIGRATION_TRANSACTION_TIMEOUT_MS: whole(0, 86_400_000)
    .default(5_000)
    .describe('How long a migration holds its locks; 0 for any length. Not for an empty database.'),
  MIGRATION_ATTEMPTS: whole(1, 10_000)
    .default(10)
    .describe('How often a migration that gets no lock is tried, with 3 s between two attempts.'),
})
