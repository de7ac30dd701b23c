import { setTimeout as pause } from 'node:timers/promises'
import { until } from '@quipu/local/testing'
import type { ChaosViolation } from '../chaos/compare.ts'
import { baseOf } from '../chaos/system/supervised.ts'
import type { System } from '../chaos/system/system.ts'
import type { Load } from '../load/load.ts'
import type { PatroniCluster } from '../patroni/cluster.ts'
import { stillness } from '../run/stillness.ts'

/** Time from the loss of every node, in milliseconds. */
export type Drill = {
  /** Until the restored cluster has a primary, a standby, and an API that reads it. */
  readonly recoveredMs: number
  readonly violations: readonly ChaosViolation[]
}

/**
 * Loses every node, and restores the cluster from a base backup and the archive to a moment before the last payouts.
 * Payments must be halted then, and after a restart and a fail-over: the network has paid what is forgotten.
 */
export async function drillRestore(system: System, patroni: PatroniCluster, load: Load): Promise<Drill> {
  const isStill = stillness()
  const [api] = system.apis
  if (!api?.inbound) throw new Error('no API was started')
  const url = baseOf(api.inbound)
  const backup = await patroni.backUp()
  const pay = async (): Promise<void> => {
    if (!(await load.payThrough(url, () => isStill('')))) throw new Error('no payout completed before the loss')
  }
  await pay()
  await pause(1_000)
  const target = new Date()
  await pause(1_000)
  await pay()
  await patroni.archiveAll()
  const lostAt = performance.now()
  await patroni.restoreTo(target, backup)
  const violations: ChaosViolation[] = []
  const expectHalt = async (after: string): Promise<void> => {
    await until(`the API is ready after ${after}`, () => isReady(url))
    const { payments } = await readiness(url)
    if (payments !== 'halted')
      violations.push({ kind: 'not_halted', detail: `payments are ${payments} after ${after}` })
  }
  await expectHalt('a restore')
  const recoveredMs = Math.round(performance.now() - lostAt)
  await system.database.restore()
  await (await patroni.roles()).primary.restart()
  await expectHalt('a restart')
  await patroni.switchOver()
  await system.database.restore()
  await expectHalt('a fail-over')
  return { recoveredMs, violations }
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`)
    .then(({ ok }) => ok)
    .catch(() => false)

const readiness = async (url: string): Promise<{ readonly payments: string }> =>
  (await (await fetch(`${url}/readyz`)).json()) as { payments: string }
