import { confirmRestore } from '@quipu/postgres'
import { OwnerSettings } from '@quipu/runtime'
import { systemClock } from '@quipu/core/system'
import type { Context } from '../context.ts'
import { atDatabase } from '../database-failure.ts'
import { usageError } from '../exit.ts'
import { settingsOf } from '../settings.ts'

/** Confirms a restore as the database's owner. @throws CommandError */
export async function runConfirm(
  { reason, json }: { readonly reason: string; readonly json?: true },
  { terminal, env }: Context,
): Promise<void> {
  if (reason.trim() === '') throw usageError('--reason must say what was compared and booked.')
  const { DATABASE_URL: owner } = settingsOf(OwnerSettings, env)
  const confirmed = await atDatabase(
    'The restore was not confirmed',
    confirmRestore(owner, reason, systemClock()),
  )
  if (json) return terminal.out(`${JSON.stringify({ confirmed })}\n`)
  terminal.out(
    confirmed
      ? 'The restore is confirmed: payments begin.\n'
      : 'There was nothing to confirm: the database was not restored, or it is confirmed.\n',
  )
}
