import { expect, test } from 'vitest'
import type { Alert } from '../alert.ts'
import { encodeForTest } from '../event/encode-event.fixture.ts'
import { countingIds } from '../ids.fixture.ts'
import type { NetworkAnswer } from '../network/qr-network.ts'
import { payoutAlerts } from './alerts.ts'
import { cancelPayout } from './open-payout.ts'
import { at, completed, processing } from './payout.fixture.ts'
import { ownerClaim, type PayoutStore } from './ports.ts'
import { contradicts, settleOrYield } from './settle-or-yield.ts'

const paid: NetworkAnswer = { type: 'paid', amount: processing.target, paymentId: 'pay-1' }
const refused: NetworkAnswer = { type: 'refused_payment' }
const cancelled = cancelPayout(processing, processing.qr, 'QUOTE_EXPIRED', at).payout

test('only an ended payout contradicts an answer, and only of the other outcome', () => {
  expect(contradicts(processing, paid)).toBe(false)
  expect(contradicts(processing, refused)).toBe(false)
  expect(contradicts(completed.payout, paid)).toBe(false)
  expect(contradicts(completed.payout, refused)).toBe(true)
  expect(contradicts(cancelled, paid)).toBe(true)
  expect(contradicts(cancelled, refused)).toBe(false)
})

/** Settles the payout with an answer. @param committed  the result of the write */
async function settle(
  answer: NetworkAnswer,
  committed: Awaited<ReturnType<PayoutStore['commit']>>,
  yieldClaim: PayoutStore['yieldClaim'] = async () => true,
) {
  const alerts: Alert[] = []
  const raiseAlert = (alert: Alert) => void alerts.push(alert)
  const ports = {
    payouts: { commit: async () => committed, get: async () => completed.payout, yieldClaim },
    ...{ encodeEvent: encodeForTest, ids: countingIds(), now: () => at, raiseAlert },
  }
  const payout = await settleOrYield(ports, ownerClaim(processing), processing, answer, {
    timing: 'late',
    alerts: payoutAlerts(raiseAlert, processing, {}),
    otherwise: { dueInSeconds: 2 },
    calls: [],
  })
  return { payout, alerts }
}

test('a settlement that the store redates has the store’s instant', async () => {
  const redatedTo = new Date(at.getTime() + 5)
  const { payout } = await settle(refused, { redatedTo })
  expect(payout).toMatchObject({ status: 'failed', endedAt: redatedTo })
})

test('a late answer of the other outcome raises an alert that names both', async () => {
  const { payout, alerts } = await settle(refused, 'stale')
  expect(payout).toBe(completed.payout)
  expect(alerts).toMatchObject([
    { code: 'NETWORK_CONTRADICTS', detail: 'completed, then refused_payment' },
  ])
})

test('a claim that cannot be yielded leaves the payout as it is', async () => {
  const { payout } = await settle({ type: 'late' }, 'committed', async () => {
    throw new Error('no connection')
  })
  expect(payout).toBe(processing)
})
