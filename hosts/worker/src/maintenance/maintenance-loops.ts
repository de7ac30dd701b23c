import type { AuditCheckpoint, AuditLog, DifferenceStore, LedgerCheck } from '@quipu/core/operator'
import { checkpointBalances, ensurePartitions } from '@quipu/postgres'
import { logAlert, type Logger, type Metrics, type NamedLoop, namedLoop } from '@quipu/runtime'
import { checkpointToJson } from '@quipu/wire'
import { systemTiming } from '../loop/system-timing.ts'
import type { RecordWork } from '../loop/work-log.ts'
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
import { recordedTask } from './recorded-task.ts'

export type MaintenanceStores = {
  readonly ledgerCheck: LedgerCheck
  readonly audit: AuditLog
  readonly differences: DifferenceStore
}

/** Creates partitions, adds balance checkpoints, checks the ledger, alerts differences, and signs audit checkpoints. */
export function maintenanceLoops(
  { settings, log, now, metrics, record }: WorkerContext,
  { ledgerCheck: check, audit, differences }: MaintenanceStores,
): readonly NamedLoop[] {
  const { DATABASE_URL: url, LEDGER_CHECK_SECONDS: everySeconds } = settings
  const { AUDIT_CHECKPOINT_KEY: checkpointKey } = settings
  const { timer } = systemTiming
  const raiseAlert = logAlert(log)
  const ledgerCheck = ledgerWatch(
    { check, record, countWallets: walletCounter(metrics), ...systemTiming },
    { everySeconds },
  )
  const report = (error: unknown): void =>
    log.error({ err: error }, 'reading differences failed; retrying in 5 s')
  const loops = [
    partitionTask(record, url),
    checkpointTask(record, url),
    namedLoop('ledger_check', ledgerCheck),
    namedLoop('difference_alerts', raiseDifferences({ differences, raiseAlert, timer, report })),
  ]
  if (checkpointKey === undefined) return loops
  const auditPorts = { audit, now, raiseAlert, write: logCheckpoint(log) }
  const auditing = recordedTask(record, writeAuditCheckpoints, {
    task: 'audit_checkpoints',
    run: auditCheckpoints(auditPorts, checkpointKey),
    done: 'audit log verified; signing again in 1 h',
    failed: 'audit checkpoint failed; retrying in 1 min',
    haltedAfterMs: passHaltedAfterMs,
  })
  return [...loops, auditing]
}

const partitionTask = (record: RecordWork, url: string): NamedLoop =>
  recordedTask(record, createPartitions, {
    task: 'partitions',
    run: () => ensurePartitions(url),
    done: 'partitions exist for the next three months; looking again in a day',
    failed: 'partition creation failed; retrying in 1 min',
  })

const checkpointTask = (record: RecordWork, url: string): NamedLoop =>
  recordedTask(record, addCheckpoints, {
    task: 'balance_checkpoints',
    run: async () => void (await checkpointBalances(url)),
    done: 'balance checkpoints added; adding the next ones in 1 h',
    failed: 'balance checkpoints failed; retrying in 1 min',
    haltedAfterMs: passHaltedAfterMs,
  })

function walletCounter(metrics: Metrics): (wallets: number) => void {
  const count = metrics.counter({
    name: 'quipu_ledger_checked_wallets_total',
    help: 'Wallets that this worker has compared with their postings.',
  })
  return (wallets) => count({}, wallets)
}

const logCheckpoint =
  (log: Logger) =>
  (checkpoint: AuditCheckpoint): void =>
    log.info(
      { audit_checkpoint: checkpointToJson(checkpoint) },
      'audit checkpoint; keep a copy where no operator of the database can write',
    )
