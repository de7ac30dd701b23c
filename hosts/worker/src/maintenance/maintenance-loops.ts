import type { LedgerCheck } from '@quipu/core'
import { checkpointBalances, ensurePartitions } from '@quipu/postgres'
import { logAlert, type PollingLoop } from '@quipu/runtime'
import { systemTiming } from '../loop/system-timing.ts'
import type { WorkerContext } from '../ports.ts'
import { ledgerWatch } from './ledger-watch.ts'
import { addCheckpoints, createPartitions } from './periodic-task.ts'

/** Creates partitions, adds balance checkpoints, and checks the ledger. */
export function maintenanceLoops(
  { settings, log }: WorkerContext,
  check: LedgerCheck,
): readonly PollingLoop[] {
  const { DATABASE_URL: url, LEDGER_CHECK_SECONDS: everySeconds } = settings
  const { timer } = systemTiming
  const logged =
    (message: string) =>
    (error: unknown): void =>
      log.error({ err: error }, message)
  return [
    createPartitions(
      () => ensurePartitions(url),
      timer,
      logged('partition creation failed; retrying in 1 min'),
    ),
    addCheckpoints(
      () => checkpointBalances(url),
      timer,
      logged('balance checkpoints failed; retrying in 1 min'),
    ),
    ledgerWatch(
      {
        check,
        raiseAlert: logAlert(log),
        ...systemTiming,
        report: logged('ledger check failed; retrying in 5 s'),
      },
      { everySeconds },
    ),
  ]
}
