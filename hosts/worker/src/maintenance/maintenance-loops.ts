import type { AuditCheckpoint, AuditLog, LedgerCheck } from '@quipu/core/operator'
import { checkpointBalances, ensurePartitions, forgetOld } from '@quipu/postgres'
import { type Logger, type Metrics, type NamedLoop, namedLoop } from '@quipu/runtime'
import { checkpointToJson } from '@quipu/wire'
import type { WorkerContext, WorkerStores } from '../ports.ts'
import { dailyTask } from './daily-task.ts'
import { ledgerWatch } from './ledger-watch.ts'
import { auditCheckpoints } from './audit-checkpoints.ts'
import { addCheckpoints, createPartitions, passHaltedAfterMs, writeAuditCheckpoints } from './periodic-task.ts'
import { recordedTask } from './recorded-task.ts'

export type MaintenanceStores = Pick<WorkerStores, 'dailyTasks'> & {
  readonly ledgerCheck: LedgerCheck
  readonly audit: AuditLog
}

/** Creates partitions, adds balance checkpoints, deletes old rows, checks the ledger, and signs audit checkpoints. */
export function maintenanceLoops(
  context: WorkerContext,
  { ledgerCheck: check, audit, dailyTasks }: MaintenanceStores,
): readonly NamedLoop[] {
  const { settings, log, now, timing, metrics, record, raiseAlert } = context
  const { LEDGER_CHECK_SECONDS: everySeconds } = settings
  const { AUDIT_CHECKPOINT_KEY: checkpointKey } = settings
  const ledgerCheck = ledgerWatch({ check, record, countWallets: walletCounter(metrics), ...timing }, { everySeconds })
  const loops = [
    partitionTask(context),
    checkpointTask(context),
    retentionTask(context, { dailyTasks }),
    namedLoop('ledger_check', ledgerCheck),
  ]
  if (checkpointKey === undefined) return loops
  const auditPorts = { audit, now, raiseAlert, write: logCheckpoint(log) }
  const auditing = recordedTask(context, writeAuditCheckpoints, {
    task: 'audit_checkpoints',
    run: auditCheckpoints(auditPorts, checkpointKey),
    done: 'audit log verified; signing again in 1 h',
    failed: 'audit checkpoint failed; retrying',
    haltedAfterMs: passHaltedAfterMs,
  })
  return [...loops, auditing]
}

const partitionTask = (context: WorkerContext): NamedLoop =>
  recordedTask(context, createPartitions, {
    task: 'partitions',
    run: () => ensurePartitions(context.settings.DATABASE_URL),
    done: 'partitions exist for the next three months; looking again in a day',
    failed: 'partition creation failed; retrying',
  })

const checkpointTask = (context: WorkerContext): NamedLoop =>
  recordedTask(context, addCheckpoints, {
    task: 'balance_checkpoints',
    run: async () => void (await checkpointBalances(context.settings.DATABASE_URL)),
    done: 'balance checkpoints added; adding the next ones in 1 h',
    failed: 'balance checkpoints failed; retrying',
    haltedAfterMs: passHaltedAfterMs,
  })

/** Ten minutes after a day has begun, the last quotes of `unusedDays` and a day ago have expired `unusedDays` ago. */
const retentionTask = (context: WorkerContext, stores: Pick<WorkerStores, 'dailyTasks'>): NamedLoop =>
  dailyTask(context, stores, (day) => forgetOld(context.settings.DATABASE_URL, day), {
    task: 'retention',
    dueSeconds: 600,
    missedDays: 366,
    done: 'rows that nothing needs any more were deleted; deleting again tomorrow',
    failed: 'deleting old rows failed; retrying',
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
