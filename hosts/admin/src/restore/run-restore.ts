import { confirmRestore, declareRestore } from '@quipu/postgres'
import { OwnerSettings } from '@quipu/runtime'
import { systemClock } from '@quipu/core/system'
import type { Context } from '../context.ts'
import { atDatabase } from '../database-failure.ts'
import { usageError } from '../exit.ts'
import { settingsOf } from '../settings.ts'

type Options = { readonly reason: string; readonly json?: true }

/** Halts payments as the database's owner. @throws CommandError */
export async function runDeclare({ reason, json }: Options, context: Context): Promise<void> {
  if (reason.trim() === '') throw usageError('--reason must say what happened to the database.')
  const declared = await atDatabase(
    'The restore was not declared',
    declareRestore(ownerOf(context), reason, systemClock()),
  )
  const { out } = context.terminal
  if (json) return out(`${JSON.stringify({ declared })}\n`)
  out(
    declared
      ? 'Payments are halted until `quipu-admin restore confirm`.\n'
      : 'Payments were halted before: nothing was changed.\n',
  )
}

/** Confirms a restore as the database's owner. @throws CommandError */
export async function runConfirm({ reason, json }: Options, context: Context): Promise<void> {
  if (reason.trim() === '') throw usageError('--reason must say what was compared and booked.')
  const confirmed = await atDatabase(
    'The restore was not confirmed',
    confirmRestore(ownerOf(context), reason, systemClock()),
  )
  const { out } = context.terminal
  if (json) return out(`${JSON.stringify({ confirmed })}\n`)
  out(confirmed ? 'The restore is confirmed: payments begin.\n' : 'There was nothing to confirm: payments begin.\n')
}

const ownerOf = ({ env }: Context): string => settingsOf(OwnerSettings, env).DATABASE_URL
