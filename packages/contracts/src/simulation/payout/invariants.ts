import { expect } from 'vitest'
import type { Payout, PayoutStatus } from '@quipu/core'
import { isBalanced, type NetworkAnswer, type StatementRow } from '@quipu/core/adapter'
import { payoutEnds } from '../payout-ends.ts'
import type { SimulationResult } from './run.ts'
import { eventsAbout } from '../../fixtures/events-about.ts'

/** Expects that merchants were paid once, money was conserved, and answers and events match the payouts. */
export async function expectInvariants(outcome: SimulationResult): Promise<void> {
  const { world, tenant, unexpectedErrors, withoutCancel } = outcome
  expect(unexpectedErrors).toEqual([])
  const { items: differences } = await world.stores.differences.list({ limit: 99 })
  expect(differences.filter(({ subject }) => !withoutCancel?.isReturned(subject))).toEqual([])
  const { items: payouts } = await world.stores.payouts.list(tenant.id, { limit: 1_000 })
  expectOneEach(payouts)
  await expectOutcomesOfNetwork(outcome, payouts)
  await expectPaidOnce(outcome, payouts)
  await expectMoneyConserved(outcome, payouts)
  await expectEvents(outcome, payouts)
  expectAnswers(outcome, payouts)
}

function expectOneEach(payouts: readonly Payout[]): void {
  const accepted = payouts.filter((payout) => payout.quote !== null)
  const distinct = (keys: readonly string[]) => expect(new Set(keys).size).toBe(keys.length)
  distinct(payouts.map(({ transactionId }) => transactionId))
  distinct(accepted.map(({ quoteId }) => quoteId))
}

async function expectOutcomesOfNetwork(outcome: SimulationResult, payouts: readonly Payout[]) {
  const { world } = outcome
  for (const payout of payouts) {
    if (payout.quote === null) continue
    const answer = await world.network.status(payout.id, payout.networkRef)
    const end = 'error' in payout ? `${payout.status} ${payout.error.code}` : payout.status
    expect(allowedEnds(outcome, payout.id, answer)).toContain(end)
  }
}

/** The ends that the network's record of an order allows. `processing`: people decide, and know of it. */
function allowedEnds({ link, withoutCancel, scenario, alerts }: SimulationResult, id: string, answer: NetworkAnswer) {
  const isPaid = answer.type === 'paid'
  if (isPaid && link.wrongAmounts.has(id)) return ['processing']
  const byRecord = payoutEnds[answer.type]
  if (withoutCancel === undefined) return byRecord
  const isForPeople =
    (!isPaid || withoutCancel.isReturned(id)) &&
    alerts.some(({ code, subject }) => subject === id && (code === 'NEEDS_OPERATOR' || code === 'UNEXPECTED_ANSWER'))
  const isAbsent = !isPaid && scenario.unpaidProof === 'statement'
  return [...byRecord, ...(isAbsent ? ['cancelled PAYMENT_CANCELLED'] : []), ...(isForPeople ? ['processing'] : [])]
}

async function expectPaidOnce(
  { world, link, withoutCancel }: SimulationResult,
  payouts: readonly Payout[],
): Promise<void> {
  const sentTwice = Array.from(link.sent).filter(([, times]) => times > 1)
  expect(sentTwice).toEqual([])
  const rows: StatementRow[] = []
  for await (const row of world.network.statement(new Date(0), new Date(8.64e15))) rows.push(row)
  const paid = new Map(rows.map((row) => [row.reference, row]))
  expect(paid.size).toBe(rows.length)
  for (const { id, status, target } of payouts) {
    if (status === 'completed') expect(paid.get(id)?.amount).toEqual(target)
    // Paid, but reported with another amount, or returned: people decide.
    else if (paid.has(id))
      expect([status, link.wrongAmounts.has(id) || withoutCancel?.isReturned(id)]).toEqual(['processing', true])
    paid.delete(id)
  }
  expect(Array.from(paid.keys())).toEqual([])
}

async function expectMoneyConserved({ world, tenant, scenario }: SimulationResult, payouts: readonly Payout[]) {
  const sum = (status: PayoutStatus): bigint =>
    payouts
      .filter((payout) => payout.status === status)
      .reduce((total, { quote }) => total + (quote?.source.minor ?? 0n), 0n)
  const wallet = await world.stores.wallets.find(tenant.id)
  const totals = await world.stores.wallets.totals(tenant.id)
  const held = sum('processing')
  expect(wallet?.held.minor).toBe(held)
  expect(wallet?.available.minor).toBe(scenario.funds - sum('completed') - held)
  expect(wallet && isBalanced(wallet, totals)).toBe(true)
}

async function expectEvents({ world, tenant }: SimulationResult, payouts: readonly Payout[]): Promise<void> {
  for (const { id, status } of payouts) {
    const events = await eventsAbout(world.stores, tenant.id, id)
    const hasEvent = status !== 'processing' && status !== 'rejected'
    expect(events.map(({ type }) => type)).toEqual(hasEvent ? [`payout.${status}`] : [])
  }
}

/** Expects that each `transaction_id` is one payment in all answers. */
function expectAnswers({ answers, lastAnswers, scenario }: SimulationResult, payouts: readonly Payout[]): void {
  expect(lastAnswers).toHaveLength(scenario.requests.length)
  const stored = new Map(payouts.map((payout) => [payout.transactionId, payout]))
  for (const { request, answer } of [...answers, ...lastAnswers]) {
    const payout = stored.get(request.transactionId)
    if (answer.type === 'payout') {
      expect(answer.payout.id).toBe(payout?.id)
      if (answer.payout.status !== 'processing') expect(answer.payout).toEqual(payout)
    } else if (answer.code === 'TRANSACTION_ID_REUSED') {
      expect(answer.payoutId).toBe(payout?.id)
    } else if (answer.code === 'QUOTE_ALREADY_USED') {
      const user = payouts.find(({ id }) => id === answer.payoutId)
      expect(user?.quoteId).toBe(request.quoteId)
      expect(user?.transactionId).not.toBe(request.transactionId)
    }
  }
  for (const { answer } of lastAnswers) {
    if (answer.type === 'payout') expect(answer.payout).toEqual(stored.get(answer.payout.transactionId))
  }
}
