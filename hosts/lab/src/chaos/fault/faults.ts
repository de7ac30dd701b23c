import { setTimeout as pause } from 'node:timers/promises'
import { databaseFaults, pairFaults } from './database-faults.ts'
import { dependencyFaults } from './dependency-faults.ts'
import type { FaultContext, Injection } from './injection.ts'
import type { FaultName } from '../plan.ts'
import { patroniFaults } from './patroni-faults.ts'
import { processFaults } from './process-faults.ts'

const injections: Readonly<Record<FaultName, Injection>> = {
  ...processFaults,
  ...databaseFaults,
  ...pairFaults,
  ...patroniFaults,
  ...dependencyFaults,
}

/**
 * Injects the fault, keeps it for its time, and heals it.
 *
 * @returns the time by `performance.now()` at which the healing began
 */
export async function runFault(name: FaultName, context: FaultContext): Promise<number> {
  const { between } = context
  const [least, most] = secondsOf[name] ?? [2, 8]
  const lasts = between(least, most) * 1_000
  const heal = await injections[name](context)
  await pause(lasts)
  const healedAt = performance.now()
  await heal()
  return healedAt
}

const once = [0, 0] as const
/** Longer than Patroni's ttl of 20 s and an election. */
const failedOver = [26, 32] as const

/** How long faults last that are not 2 to 8 s. Leases are 3 s, and the adapter gives up after 12 s. */
const secondsOf: Partial<Record<FaultName, readonly [number, number]>> = {
  'kill-api': once,
  'kill-worker': once,
  'kill-all': once,
  'drain-api': once,
  'stop-api': [4, 15],
  'stop-worker': [4, 15],
  'cut-database': once,
  'half-open-database': [4, 15],
  'stalled-database': [1, 15],
  'ended-sessions': once,
  'crash-database': once,
  'restart-database': [0, 3],
  'replication-stall': [1, 15],
  'cut-network': once,
  'half-open-network': [4, 15],
  'cut-clients': once,
  upgrade: once,
  'fail-over': [0, 1.5],
  switchover: once,
  'kill-postgres': once,
  'kill-patroni': once,
  'upgrade-postgres': once,
  'lose-primary': failedOver,
  'lose-patroni': failedOver,
  'freeze-patroni': failedOver,
  'freeze-postgres': failedOver,
  'lose-patroni-and-standby': failedOver,
  'reload-and-freeze': failedOver,
  'freeze-etcd': failedOver,
  'cut-primary': failedOver,
  'cut-primary-from-nodes': failedOver,
  'cut-primary-from-etcd': failedOver,
  'lone-primary': [8, 14],
}
