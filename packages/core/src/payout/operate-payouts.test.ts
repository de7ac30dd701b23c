import type { FoundDifference } from '../difference/difference.ts'
import { expect, test } from 'vitest'
import type { Alert } from '../alert.ts'
import { encodeForTest } from '../event/encode-event.fixture.ts'
import { countingIds } from '../ids.fixture.ts'
import type { NetworkCall } from '../network/network-call.ts'
import { cancelling, type QrNetwork } from '../network/qr-network.ts'
import type { OperatorCall } from './decision-ports.ts'
import type { KnownPayment } from '../network/network-store.ts'
import { hintPauseMs, hintPayout, operatePayouts, type OperatePayoutsPorts } from './operate-payouts.ts'
import type { Payout } from './payout.ts'
import { at, completed, processing } from './payout.fixture.ts'
import { defaultResumeSettings } from './resume-payout.ts'
import { operatorNamed } from '../audit/operator.fixture.ts'

type Status = Awaited<ReturnType<QrNetwork['status']>>
const nothingKnown: KnownPayment = { payment: null, isCurrent: true }

/** Operates payouts of which none can be claimed any more. */
function operating(found: Payout, status: Status, current = found, known: KnownPayment = nothingKnown) {
  const alerts: Alert[] = []
  const claims: OperatorCall[] = []
  const differences: FoundDifference[] = []
  const recorded: unknown[] = []
  const halts: string[] = []
  const nothing = (): never => {
    throw new Error('an ended payout is not written')
  }
  const ports: OperatePayoutsPorts = {
    payouts: { commit: nothing, renew: nothing, yieldClaim: nothing, catchUp: nothing, get: async () => current },
    payoutDecisions: {
      find: async () => ({ payout: found, isAsked: true, networkPaid: null, isRefunded: false }),
      claim: async (call) => {
        claims.push(call)
        return 'ended'
      },
    },
    networkCalls: { record: async (payout, calls) => void recorded.push({ payout, calls }) },
    networks: { knownPayment: async () => known, halt: async (_, payoutId) => void halts.push(payoutId) },
    network: {
      identity: 'n',
      capabilities: cancelling,
      status: async () => status,
      cancel: nothing,
      statement: nothing,
    },
    reconciliations: { completedPayments: nothing },
    encodeEvent: encodeForTest,
    ids: countingIds(),
    now: () => at,
    monotonic: () => 0,
    raiseAlert: (alert) => void alerts.push(alert),
    differences: { record: async (found) => void differences.push(...found) },
  }
  const operate = operatePayouts(ports, defaultResumeSettings)
  return { ports, operate, alerts, differences, claims, recorded, halts }
}

const paid: Status = { type: 'paid', amount: processing.target, paymentId: 'pay-1' }

test.each<{ readonly status: Status; readonly count: number }>([
  { status: paid, count: 0 },
  { status: { type: 'cancelled' }, count: 1 },
  { status: { type: 'refused_payment' }, count: 1 },
  { status: { type: 'returned' }, count: 1 },
  { status: { type: 'pending' }, count: 0 },
  { status: { type: 'unknown', reason: 'timeout' }, count: 0 },
  { status: { type: 'not_seen' }, count: 0 },
])('a completed payout, then $status.type: $count differences', async ({ status, count }) => {
  const { operate, alerts, differences, recorded } = operating(completed.payout, status)
  const answer = await operate.query(operatorNamed('ana'), 'po_1')
  expect(answer).toMatchObject({ type: 'queried', payout: completed.payout })
  expect(recorded).toMatchObject([{ payout: { tenantId: 'ten_1', payoutId: 'po_1' }, calls: [{ actor: 'ana' }] }])
  const about = { check: 'network', kind: 'contradicts', tenantId: 'ten_1', subject: 'po_1' }
  const difference = { ...about, detail: `completed, then ${status.type}` }
  expect(differences).toMatchObject(count === 0 ? [] : [difference])
  expect(differences).toHaveLength(count)
  expect(alerts).toEqual([])
})

test('a payout that ends before the claim is not cancelled, and its status is not queried', async () => {
  const { operate, claims, recorded } = operating(processing, paid, completed.payout)
  expect(await operate.cancel(operatorNamed('ana'), 'po_1')).toEqual({ type: 'refused', code: 'already_ended' })
  expect(claims).toMatchObject([{ question: 'cancel' }])
  expect(recorded).toEqual([])
})

test.each<[string, KnownPayment, string[]]>([
  [
    'lacks a payment of the books',
    {
      payment: { tenantId: 'ten_1', payoutId: 'po_0', networkRef: 'nr-0', createdAt: at, endedAt: at },
      isCurrent: true,
    },
    ['po_0'],
  ],
  ['was confirmed after the order', { payment: null, isCurrent: false }, []],
])('nothing is cancelled at a network that %s', async (_, known, halted) => {
  const { operate, claims, halts } = operating(processing, { type: 'not_seen' }, processing, known)
  expect(await operate.cancel(operatorNamed('ana'), 'po_1')).toEqual({ type: 'refused', code: 'network_unproven' })
  expect([claims, halts]).toEqual([[], halted])
})

test.each<[string, number | null, number, number?]>([
  ['none before', null, 1],
  ['a pause before', hintPauseMs, 1],
  ['less than a pause before', hintPauseMs - 1, 0],
  ['before it ended', 200_000, 1, 100_000],
  ['less than a minute before, but before it ended', 30_000, 1, 10_000],
])('a callback about an ended payout, with a call %s, asks %i times', async (_, agoMs, asked, endedMs = 300_000) => {
  const ago = (ms: number): Date => new Date(at.getTime() - ms)
  const payout = { ...completed.payout, endedAt: ago(endedMs) }
  const { ports, recorded } = operating(payout, paid)
  const hinted: string[] = []
  const last = agoMs === null ? [] : [{ createdAt: ago(agoMs) } as NetworkCall]
  const hint = hintPayout({
    ...ports,
    payouts: { ...ports.payouts, hint: async (id) => void hinted.push(id) },
    networkCalls: { ...ports.networkCalls, list: async () => ({ items: last, next: null }) },
  })
  await hint('po_1')
  expect([hinted, recorded.length]).toEqual([['po_1'], asked])
})
