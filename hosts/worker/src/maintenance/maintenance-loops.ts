import type { AuditCheckpoint, AuditLog, DifferenceStore, LedgerCheck } from '@quipu/core/operator'
import { checkpointBalances, ensurePartitions } from '@quipu/postgres'
import { logAlert, type Logger, type PollingLoop } from '@quipu/runtime'
import { checkpointToJson } from '@quipu/wire'
import { systemTiming } from '../loop/system-timing.ts'
import type { WorkerContext } from '../ports.ts'
import { raiseDifferences } from './difference-alerts.ts'
import { ledgerWatch } from './ledger-watch.ts'
import { auditCheckpoints } from './audit-checkpoints.ts'
import { addCheckpoints, createPartitions, writeAuditCheckpoints } from './periodic-task.ts'

export type MaintenanceStores = {
  readonly ledgerCheck: LedgerCheck
  readonly audit: AuditLog
  readonly differences: DifferenceStore
}

/** Creates partitions, adds balance checkpoints, checks the ledger, alerts differences, and signs audit checkpoints. */
export function maintenanceLoops(
  { settings, log, now }: WorkerContext,
  { ledgerCheck: check, audit, differences }: MaintenanceStores,
): readonly PollingLoop[] {
  const { DATABASE_URL: url, LEDGER_CHECK_SECONDS: everySeconds } = settings
  const { AUDIT_CHECKPOINT_KEY: checkpointKey } = settings
  const { timer } = systemTiming
  const raiseAlert = logAlert(log)
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
        ...systemTiming,
        report: logged('ledger check failed; retrying in 5 s'),
      },
      { everySeconds },
    ),
    raiseDifferences({
      ...{ differences, raiseAlert, timer },
      report: logged('reading differences failed; retrying in 5 s'),
    }),
    ...(checkpointKey === undefined
      ? []
      : [
          writeAuditCheckpoints(
            auditCheckpoints({ audit, now, raiseAlert, write: logCheckpoint(log) }, checkpointKey),
            timer,
            logged('audit checkpoint failed; retrying in 1 min'),
          ),
        ]),
  ]
}

const logCheckpoint =
  (log: Logger) =>
  (checkpoint: AuditCheckpoint): void =>
    log.info(
      { audit_checkpoint: checkpointToJson(checkpoint) },
      'audit checkpoint; keep a copy where no operator of the database can write',
    )
