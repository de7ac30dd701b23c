import { confirmRestore, declareRestore } from '@quipu/postgres'
import { OwnerSettings } from '@quipu/runtime'
import { systemClock } from '@quipu/core/system'
import type { Context } from '../context.ts'
import { atDatabase } from '../database-failure.ts'
import { usageError } from '../exit.ts'
import { ownerOf, settingsOf } from '../settings.ts'

type Options = { readonly reason: string; readonly json?: true }

const steps = {
  declared: {
    write: declareRestore,
    reason: 'what happened to the database',
    done: 'Payments are halted until `quipu-admin restore confirm`.',
    nothing: 'Payments were halted before: nothing was changed.',
  },
  confirmed: {
    write: confirmRestore,
    reason: 'what was compared and booked',
    done: 'The restore is confirmed: payments begin.',
    nothing: 'There was nothing to confirm: payments begin.',
  },
} as const

/** Halts payments (`declared`), or lets them begin (`confirmed`), as the database's owner. @throws CommandError */
export async function runRestore(step: keyof typeof steps, { reason, json }: Options, context: Context): Promise<void> {
  const { write, reason: needed, done, nothing } = steps[step]
  if (reason.trim() === '') throw usageError(`--reason must say ${needed}.`)
  const owner = ownerOf(settingsOf(OwnerSettings, context.env))
  const isDone = await atDatabase(`The restore was not ${step}`, write(owner, reason, systemClock()))
  context.terminal.out(`${json ? JSON.stringify({ [step]: isDone }) : isDone ? done : nothing}\n`)
}
