import { expect } from 'vitest'
import type { Stores } from '@quipu/core'
import { type Report, statusOf } from '../payout-state.fixture.ts'
import type { Context } from './context.fixture.ts'
import type { State } from './model-state.fixture.ts'
import { callOf, commitText, nextCall, reportText, rowsOf, textOf } from './words.fixture.ts'

/** Compares the real state with the model's. */
export async function compareFailOver(context: Context, state: State): Promise<void> {
  const { log, replicated, visible } = state
  const rowsAt = (places: readonly number[]) => rowsOf(places.flatMap((place) => log[place] ?? []))
  expect(await realState(context)).toEqual({
    log: log.map(textOf),
    ...{ replicated, visible: visible.toSorted(byNumber), timeline: state.timeline },
    isStalled: state.stalled,
    rows: rowsAt(visible),
    durableRows: rowsAt(Array.from(log.slice(0, replicated).keys())),
    reported: setOf(state.reported),
    orders: state.orders.toSorted(byNumber),
    cancels: state.cancels.toSorted(byNumber),
    calls: Array.from(state.steps, ([name, step]) => [name, nextCall(name, step)]),
  })
}

async function realState(context: Context) {
  const { database, reported, orders, cancels, processes } = context
  return {
    log: database.log().map((commit) => commitText(context, commit)),
    replicated: database.replicated(),
    visible: Array.from(database.visible()).toSorted(byNumber),
    timeline: database.timeline(),
    isStalled: database.isStalled(),
    rows: await storedRows(context, database.stores),
    durableRows: await storedRows(context, database.standby()),
    reported: setOf(reported),
    orders: Array.from(orders).toSorted(byNumber),
    cancels: Array.from(cancels).toSorted(byNumber),
    calls: Array.from(processes, ([name, { gates }]) => [name, callOf(context, name, gates)]),
  }
}

async function storedRows({ tenantId, idOf }: Context, { payouts }: Stores) {
  const rows = await Promise.all(
    Array.from(idOf, async ([ref, id]) => {
      const payout = await payouts.get(tenantId, id)
      return payout ? [reportText({ ref, status: statusOf(payout) })] : []
    }),
  )
  return rows.flat().toSorted()
}

const byNumber = (a: number, b: number): number => a - b
const setOf = (reports: readonly Report[]): readonly string[] =>
  Array.from(new Set(reports.map(reportText))).toSorted()
