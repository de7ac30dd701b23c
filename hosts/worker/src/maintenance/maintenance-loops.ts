import type { AuditCheckpoint, AuditLog, DifferenceStore, LedgerCheck } from '@quipu/core/operator'
import { checkpointBalances, ensurePartitions } from '@quipu/postgres'
import { logAlert, type Logger, type NamedLoop, namedLoop } from '@quipu/runtime'
import { checkpointToJson } from '@quipu/wire'
import { systemTiming } from '../loop/system-timing.ts'
import type { WorkerContext } from '../ports.ts'
import { raiseDifferences } from './difference-alerts.ts'
import { ledgerWatch } from './ledger-watch.ts'
import { auditCheckpoints } from './audit-checkpoints.ts'
import {
  addCheckpoints,
  createPartitions,
  passHaltedAfterMs,
  writeAuditCheckpoints,
} from './periodic-task.ts'

export type MaintenanceStores = {
  readonly ledgerCheck: LedgerCheck
  readonly audit: AuditLog
  readonly differences: DifferenceStore
}

/** Creates partitions, adds balance checkpoints, checks the ledger, alerts differences, and signs audit checkpoints. */
export function maintenanceLoops(
  { settings, log, now }: WorkerContext,
  { ledgerCheck: check, audit, differences }: MaintenanceStores,
): readonly NamedLoop[] {
  const { DATABASE_URL: url, LEDGER_CHECK_SECONDS: everySeconds } = settings
  const { AUDIT_CHECKPOINT_KEY: checkpointKey } = settings
  const { timer } = systemTiming
  const raiseAlert = logAlert(log)
  const logged =
    (message: string) =>
    (error: unknown): void =>
      log.error({ err: error }, message)
  const ledgerCheck = ledgerWatch(
    { check, ...systemTiming, report: logged('ledger check failed; retrying in 5 s') },
    { everySeconds },
  )
  const alerts = raiseDifferences({
    ...{ differences, raiseAlert, timer },
    report: logged('reading differences failed; retrying in 5 s'),
  })
  const partitions = createPartitions(
    () => ensurePartitions(url),
    timer,
    logged('partition creation failed; retrying in 1 min'),
  )
  const checkpoints = addCheckpoints(
    () => checkpointBalances(url),
    timer,
    logged('balance checkpoints failed; retrying in 1 min'),
  )
  const loops = [
    namedLoop('partitions', partitions),
    namedLoop('balance_checkpoints', checkpoints, passHaltedAfterMs),
    namedLoop('ledger_check', ledgerCheck),
    namedLoop('difference_alerts', alerts),
  ]
  if (checkpointKey === undefined) return loops
  const auditing = writeAuditCheckpoints(
    auditCheckpoints({ audit, now, raiseAlert, write: logCheckpoint(log) }, checkpointKey),
    timer,
    logged('audit checkpoint failed; retrying in 1 min'),
  )
  return [...loops, namedLoop('audit_checkpoints', auditing, passHaltedAfterMs)]
}

const logCheckpoint =
  (log: Logger) =>
  (checkpoint: AuditCheckpoint): void =>
    log.info(
      { audit_checkpoint: checkpointToJson(checkpoint) },
      'audit checkpoint; keep a copy where no operator of the database can write',
    )
