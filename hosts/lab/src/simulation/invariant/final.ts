import type { Payout, PayoutAnswer, PayoutRequest } from '@quipu/core'
import { payoutEnds } from '@quipu/contracts/simulation'
import { auditStart } from '@quipu/core/operator'
import { checkProposals } from './proposals.ts'
import { checkDeposits } from './deposits.ts'
import { checkFaucet, checkSweeps } from './transfers.ts'
import { endOf } from './watch.ts'
import type { Statistics } from '../statistics.ts'
import type { TenantOfWorld } from '../world/tenants.ts'
import { allPayouts, needingPeople, type World } from '../world/world.ts'

/** An answer that a client got. */
export type Answered = {
  readonly tenant: TenantOfWorld
  readonly request: PayoutRequest
  readonly answer: PayoutAnswer
}

/** Checks what must hold once everything has ended. */
export async function checkFinal(world: World, answers: readonly Answered[], statistics: Statistics): Promise<void> {
  const payouts = await allPayouts(world)
  checkOneEach(world, payouts)
  await checkNetwork(world, payouts, statistics)
  for (const tenant of world.tenants) {
    const own = payouts.filter(({ tenantId }) => tenantId === tenant.id)
    await checkWallet(world, tenant, own)
    await checkEvents(world, tenant, own)
  }
  checkAnswers(world, payouts, answers)
  await checkDeposits(world, statistics)
  await checkFaucet(world)
  await checkSweeps(world)
  await checkProposals(world)
  await checkDeliveries(world, statistics)
  await checkAudit(world)
  await checkDifferences(world)
}

function checkOneEach({ violations }: World, payouts: readonly Payout[]): void {
  const distinct = (what: string, keys: readonly string[]): void => {
    if (new Set(keys).size !== keys.length) violations.push(`two payouts have one ${what}`)
  }
  distinct(
    'transaction_id',
    payouts.map((each) => `${each.tenantId} ${each.transactionId}`),
  )
  distinct(
    'quote',
    payouts.filter(({ quote }) => quote !== null).map(({ quoteId }) => quoteId),
  )
}

async function checkNetwork(world: World, payouts: readonly Payout[], statistics: Statistics): Promise<void> {
  const { network, qrNetwork, withoutCancel, violations } = world
  const needing = needingPeople(world)
  for (const payout of payouts) {
    if (payout.quote === null) continue
    if (needing.has(payout.id)) statistics.count('payout that needed people')
    if (withoutCancel?.isReturned(payout.id)) statistics.count('payout whose money came back')
    const answer = qrNetwork.answerOf(payout.id)
    const isMisreported = network.wrongAmounts.has(payout.id)
    if (isMisreported && answer !== undefined && answer.type !== 'paid')
      statistics.count('payout of a wrong amount that the network refused')
    // Paid, and reported with another amount: an operator decides.
    const isWrong = isMisreported && answer?.type === 'paid'
    const decided = world.decided.get(payout.id)
    const byAnswer = isWrong ? ['processing'] : payoutEnds[answer?.type ?? 'not_seen']
    const isPaid = answer?.type === 'paid'
    const byAbsence =
      !isPaid && withoutCancel?.capabilities.unpaidProof.by === 'statement' ? ['cancelled PAYMENT_CANCELLED'] : []
    const byReturn = isPaid && withoutCancel?.isReturned(payout.id) ? ['processing'] : []
    const allowed = [...byAnswer, ...byAbsence, ...byReturn, ...(decided === undefined ? [] : [decided])]
    const end = endOf(payout)
    if (!allowed.includes(end))
      violations.push(`${payout.id} ended ${end}, and the network has ${answer?.type ?? 'nothing'}`)
  }
  const byId = new Map(payouts.map((payout) => [payout.id, payout]))
  for await (const { reference, amount } of qrNetwork.statement(new Date(0), new Date(8.64e15))) {
    const payout = byId.get(reference)
    if (payout === undefined) violations.push(`the network paid ${reference}, which does not exist`)
    else if (payout.target.minor !== amount.minor)
      violations.push(`the network paid ${amount.minor} for ${reference}, not ${payout.target.minor}`)
  }
  for (const [reference, times] of network.sent)
    if (times > 1) violations.push(`the order ${reference} was sent ${times} times`)
}

async function checkWallet(
  { database, violations }: World,
  { id }: TenantOfWorld,
  payouts: readonly Payout[],
): Promise<void> {
  const sum = (status: Payout['status']): bigint =>
    payouts
      .filter((payout) => payout.status === status)
      .reduce((total, { quote }) => total + (quote?.source.minor ?? 0n), 0n)
  const { wallets, deposits } = database.stores
  const wallet = await wallets.find(id)
  const { items: rows } = await wallets.transactions(id, { limit: 10_000 })
  const moved = (type: string): bigint =>
    rows
      .filter((row) => row.type === type)
      .reduce((total, { direction, amount }) => total + (direction === 'in' ? amount.minor : -amount.minor), 0n)
  const { items } = await deposits.list(id, { limit: 10_000 })
  const credited = items
    .filter(({ status }) => status === 'credited')
    .reduce((total, { amount }) => total + amount.minor, 0n)
  const expected = moved('adjustment') + credited - sum('completed')
  const held = sum('processing')
  if (wallet?.held.minor !== held) violations.push(`${id} holds ${wallet?.held.minor}, not ${held}`)
  if (wallet?.available.minor !== expected - held)
    violations.push(`${id} has ${wallet?.available.minor} available, not ${expected - held}`)
  if (moved('deposit') !== credited || moved('payout') !== -sum('completed'))
    violations.push(`the rows of ${id} are not its deposits and payouts`)
}

async function checkEvents(
  { database, violations }: World,
  { id }: TenantOfWorld,
  payouts: readonly Payout[],
): Promise<void> {
  const { items: events } = await database.stores.events.list(id, { limit: 10_000 })
  for (const payout of payouts) {
    const types = events.filter(({ subjectId }) => subjectId === payout.id).map(({ type }) => type)
    const hasEvent = payout.status !== 'processing' && payout.status !== 'rejected'
    const expected = hasEvent ? `payout.${payout.status}` : ''
    if (types.join(' ') !== expected)
      violations.push(`${payout.id} has the events [${types.join(' ')}], not [${expected}]`)
  }
}

/** Checks that answers to clients are what the payouts are. */
function checkAnswers({ violations }: World, payouts: readonly Payout[], answers: readonly Answered[]): void {
  for (const { tenant, request, answer } of answers) {
    const { transactionId } = request
    const stored = payouts.find((each) => each.tenantId === tenant.id && each.transactionId === transactionId)
    if (answer.type === 'payout') {
      const { id, status } = answer.payout
      if (stored?.id !== id) violations.push(`${transactionId} was answered with ${id}, and is ${stored?.id ?? 'lost'}`)
      else if (status !== 'processing' && status !== stored.status)
        violations.push(`${id} was answered as ${status}, and is ${stored.status}`)
    } else if (answer.code === 'TRANSACTION_ID_REUSED' && stored?.id !== answer.payoutId)
      violations.push(`${transactionId} was refused for ${answer.payoutId}, which is lost`)
  }
}

/** Checks that receivers have what counts as delivered, each event with the same bytes. */
async function checkDeliveries(world: World, statistics: Statistics): Promise<void> {
  const { database, tenants, receivers, violations } = world
  const { webhooks, deliveries } = database.stores
  violations.push(...receivers.violations)
  const received = new Set(receivers.received)
  for (const { id: tenantId } of tenants) {
    const { items: events } = await database.stores.events.list(tenantId, { limit: 10_000 })
    for (const { id } of events) received.delete(id)
    const { items: endpoints } = await webhooks.list(tenantId, { limit: 100 })
    for (const { id, url, status } of endpoints) {
      statistics.count(`endpoint ${status}`)
      const { items } = await deliveries.list(tenantId, id, { limit: 10_000 })
      for (const { eventId, status } of items) {
        statistics.count(`delivery ${status}`)
        if (status === 'delivered' && !receivers.acknowledged.get(url)?.has(eventId))
          violations.push(`${eventId} counts as delivered to ${url}, which never took it`)
      }
    }
  }
  for (const id of received) violations.push(`a receiver got ${id}, which the database has not`)
}

async function checkAudit({ database, violations }: World): Promise<void> {
  const { flaw } = await database.stores.audit.verify(auditStart, 100_000)
  if (flaw !== null) violations.push(`the audit log has a flaw at ${flaw.id}: ${flaw.detail}`)
}

/**
 * Checks that no reconciliation found what is not so: whatever fails, the records must agree in the end. Payments that came
 * back are differences, payments in a gap of the statement, and one that was reported with another amount and waits for people.
 */
async function checkDifferences({ database, network, withoutCancel, violations }: World): Promise<void> {
  const { items } = await database.stores.differences.list({ limit: 100 })
  for (const { check, kind, subject, detail } of items) {
    const isWaiting = kind === 'not_completed' && network.wrongAmounts.has(subject)
    const isOfKind = withoutCancel && (kind === 'absent_there' || withoutCancel.isReturned(subject))
    if (check !== 'network' || !(isWaiting || isOfKind)) violations.push(`a difference of ${check}: ${kind}: ${detail}`)
  }
}
