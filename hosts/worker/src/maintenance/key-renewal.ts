import type { Renew } from '@quipu/core/operator'
import type { Logger, NamedLoop } from '@quipu/runtime'
import type { WorkerContext } from '../ports.ts'
import { passHaltedAfterMs, renewByCurrentKey } from './periodic-task.ts'
import { recordedTask } from './recorded-task.ts'

/** The renewed values, and the setting with its keys, as log lines name them. */
export type RenewedBy = { readonly values: string; readonly setting: string; readonly loop: string }

/** A task that renews, in slices, every value that an older key made. */
export const renewAll =
  (renew: Renew, log: Pick<Logger, 'info' | 'error'>, { values, setting }: Omit<RenewedBy, 'loop'>) =>
  async (): Promise<void> => {
    let renewed = 0
    const unreadable: string[] = []
    let after: string | null = ''
    while (after !== null) {
      const slice = await renew(after)
      renewed += slice.renewed
      unreadable.push(...slice.unreadable)
      after = slice.next
    }
    if (renewed > 0) log.info({ renewed }, `renewed ${values} with the current key of ${setting}`)
    if (unreadable.length > 0)
      log.error(
        { count: unreadable.length, first: unreadable[0] },
        `${values} cannot be read with the keys of ${setting}: add the key that made them; retrying in 1 h`,
      )
  }

/** Renews at the start of the process, and then every hour. */
export const keyRenewalLoop = (
  renew: Renew,
  context: Pick<WorkerContext, 'log' | 'record' | 'timing'>,
  by: RenewedBy,
): NamedLoop =>
  recordedTask(context, renewByCurrentKey, {
    task: by.loop,
    run: renewAll(renew, context.log, by),
    done: `no more ${by.values} are of an older key; looking again in 1 h`,
    failed: `renewing ${by.values} failed; retrying`,
    level: 'debug',
    haltedAfterMs: passHaltedAfterMs,
  })
