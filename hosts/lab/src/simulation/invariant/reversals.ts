import { payoutTimeline, readPayoutHistory } from '@quipu/core/operator'
import { answered, type Fleet } from '../process/fleet.ts'
import type { Statistics } from '../statistics.ts'
import { ana, simulationStart } from '../world/operators.ts'
import { allPayouts, type World } from '../world/world.ts'

/** Money comes back in this time, and the statement has no gap after it. */
const returnedAfterMs = 11 * 60_000
const listedAfterMs = 40 * 60_000
/** Nothing is done in these times but polls. */
const idlePauses = 100
const longestRunMs = 30 * 60_000

/**
 * Compares the whole run with the statement of a network without cancel, then checks that each completed payout whose
 * money came back is a difference, an alert and a row on its time line.
 */
export async function checkReversals(
  world: World,
  fleet: Fleet,
  statistics: Statistics,
  run: (ms: number) => Promise<void>,
): Promise<void> {
  const { withoutCancel, loop, violations, alerts } = world
  if (withoutCancel === undefined) return
  const { loopPauses } = world
  world.loopPauses = idlePauses
  // Which payments come back is drawn at the first read.
  for await (const _ of withoutCancel.statement(new Date(0), loop.now()));
  await run(returnedAfterMs)
  const completed = (await allPayouts(world)).filter(({ status }) => status === 'completed')
  const returned = completed.filter(({ id }) => withoutCancel.isReturned(id))
  await run(listedAfterMs)
  world.loopPauses = loopPauses
  await reconcileAll(world, fleet, run)
  const history = readPayoutHistory({ ...world.database.stores, now: loop.now })
  for (const { id } of returned) {
    const found = await history(id)
    const kinds = found === undefined ? [] : payoutTimeline(found).map(({ kind }) => kind)
    const differs = found?.differences.some(({ kind }) => kind === 'returned') ?? false
    const isAlerted = alerts.some(({ code, subject }) => code === 'NETWORK_DIFFERENCE' && subject === id)
    statistics.count('payout whose money came back after its end')
    if (!differs || !isAlerted || !kinds.includes('difference_found'))
      violations.push(
        `the money of ${id} came back: difference ${differs}, alert ${isAlerted}, time line ${kinds.join()}`,
      )
  }
}

async function reconcileAll(world: World, fleet: Fleet, run: (ms: number) => Promise<void>): Promise<void> {
  const to = new Date(world.loop.now().getTime() - 61_000)
  const requested = answered(world, fleet, ({ useCases }) =>
    useCases.funding.requestReconciliation(ana, { check: 'network', from: simulationStart, to }),
  )
  await run(60_000)
  const opened = await requested
  if (opened?.type !== 'opened') return void world.violations.push(`no run was opened: ${opened?.type}`)
  const { reconciliations } = world.database.stores
  for (let past = 0; past < longestRunMs; past += 30_000) {
    if ((await reconciliations.find(opened.run.id))?.completedAt) return run(60_000)
    await run(30_000)
  }
  world.violations.push('the last reconciliation does not end')
}
