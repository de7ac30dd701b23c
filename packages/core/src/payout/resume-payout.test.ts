import { expect, test } from 'vitest'
import { encodeForTest } from '../event/encode-event.fixture.ts'
import { countingIds } from '../ids.fixture.ts'
import type { Alert } from '../alert.ts'
import { bob } from '../money.ts'
import type { KnownPayment } from '../network/network-store.ts'
import { cancelling, type NetworkAnswer } from '../network/qr-network.ts'
import type { RaisedAlerts } from './alerts.ts'
import { at as createdAt, processing as payout } from './payout.fixture.ts'
import { ownerClaim } from './ports.ts'
import { defaultResumeSettings, resumePayout } from './resume-payout.ts'
import { processingAlertSeconds, operatorAfterSeconds } from './schedule.ts'

type Script = {
  readonly openSeconds?: number
  readonly status: NetworkAnswer
  /** The payment that the network must know, and its answer about it. */
  readonly knownPayment?: KnownPayment
  readonly knownStatus?: NetworkAnswer
  /** Whether the claim is the newest when it is renewed. */
  readonly isNewest?: boolean
  readonly raised?: RaisedAlerts
}

/** Resumes the payout once. */
async function resume({
  openSeconds = 0,
  status,
  isNewest = true,
  raised = {},
  knownPayment = { payment: null, isCurrent: true },
  knownStatus = { type: 'not_seen' },
}: Script) {
  const alerts: Alert[] = []
  const cancelled: string[] = []
  const halted: string[] = []
  let records = 0
  let caughtUp = 0
  const claim = ownerClaim(payout)
  const ports = {
    payouts: {
      commit: async () => 'committed' as const,
      get: async () => payout,
      renew: async () => isNewest,
      catchUp: async () => void caughtUp++,
      // The lease then expires.
      yieldClaim: () => Promise.reject(new Error('no connection')),
    },
    networkCalls: { record: async () => void records++ },
    networks: { knownPayment: async () => knownPayment, halt: async (_: string, id: string) => void halted.push(id) },
    network: {
      identity: 'n',
      capabilities: cancelling,
      status: async (reference: string) => (reference === knownPayment.payment?.payoutId ? knownStatus : status),
      cancel: async (reference: string): Promise<NetworkAnswer> => {
        cancelled.push(reference)
        return { type: 'cancelled' }
      },
      statement: () => expect.fail('nothing is proven by the statement'),
    },
    encodeEvent: encodeForTest,
    ids: countingIds(),
    now: () => createdAt,
    monotonic: () => 0,
    differences: { record: async () => undefined },
    reconciliations: { completedPayments: () => expect.fail('nothing is proven by the statement') },
    raiseAlert: (alert: Alert) => void alerts.push(alert),
  }
  const mark = { isOrdered: null, givenRef: null }
  const claimed = { payout, claim, claimCount: 1, unanswered: 0, openSeconds, raised, ...mark }
  const ended = await resumePayout(ports, defaultResumeSettings)(claimed)
  const details = alerts.map(({ detail }) => detail)
  return { ended, cancelled, halted, raised: alerts.map(({ code }) => code), details, records, caughtUp }
}

test.each([
  [processingAlertSeconds - 0.001, []],
  [processingAlertSeconds, ['PROCESSING_TOO_LONG']],
  [operatorAfterSeconds - 0.001, ['PROCESSING_TOO_LONG']],
  [operatorAfterSeconds, ['NEEDS_OPERATOR']],
])('in processing for %d s: raises %j', async (openSeconds, raised) => {
  expect(await resume({ openSeconds, status: { type: 'pending' } })).toMatchObject({ raised })
})

test('an operator who was alerted for another reason is not alerted for the age as well', async () => {
  const again = { openSeconds: operatorAfterSeconds, raised: { NEEDS_OPERATOR: 'never seen' } }
  expect(await resume({ ...again, status: { type: 'pending' } })).toMatchObject({ raised: [] })
})

test('the calls are recorded once: apart when the answer is final, else with the yielded claim', async () => {
  expect(await resume({ status: { type: 'refused_payment' } })).toMatchObject({ records: 1 })
  expect(await resume({ status: { type: 'pending' } })).toMatchObject({ records: 0, caughtUp: 1 })
})

test.each<NetworkAnswer>([
  { type: 'pending' },
  { type: 'unknown', reason: 'timeout' },
  { type: 'refused_payment' },
  { type: 'paid', amount: bob(10_000n), paymentId: 'p' },
])('a reference that the network has seen is never cancelled: $type', async (status) => {
  expect(await resume({ status })).toMatchObject({ cancelled: [] })
})

test('a claim that is not the newest cancels nothing', async () => {
  expect(await resume({ status: { type: 'not_seen' }, isNewest: false })).toMatchObject({
    cancelled: [],
    ended: payout,
    raised: [],
    details: [],
    records: 1,
  })
})

const instants = { createdAt, endedAt: createdAt }
const payment = { tenantId: 'ten_1', payoutId: 'po_known', networkRef: 'nr-9', ...instants }
const notSeen = { type: 'not_seen' } as const
const known = { type: 'paid', amount: payout.target, paymentId: 'np-9' } as const
const silent = { type: 'unknown', reason: 'timeout' } as const
const [processing, cancelled] = [{ status: 'processing' }, { status: 'cancelled' }]

test.each<[string, boolean, NetworkAnswer, object]>([
  ['is paid', true, known, { cancelled: [payout.id], halted: [], ended: cancelled }],
  ['is not seen', true, notSeen, { cancelled: [], halted: ['po_known'], raised: [], ended: processing }],
  ['is unknown', true, silent, { cancelled: [], halted: [], ended: processing }],
  ['of before a move was refused', false, { type: 'refused_payment' }, { cancelled: [payout.id] }],
])('an unseen payout where a payment of the books %s', async (_, isCurrent, knownStatus, expected) => {
  expect(await resume({ status: notSeen, knownPayment: { payment, isCurrent }, knownStatus })).toMatchObject(expected)
})

test.each([
  ['no payment of then', null],
  ['a payment of then that it has not seen', payment],
])('after a confirmed move with %s an operator decides', async (_name, known) => {
  const knownPayment = { payment: known, isCurrent: false }
  expect(await resume({ status: notSeen, knownPayment })).toMatchObject({
    cancelled: [],
    halted: [],
    raised: ['NEEDS_OPERATOR'],
    ended: { status: 'processing' },
  })
})
