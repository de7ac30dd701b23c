import { expect, test } from 'vitest'
import type { Alert } from '../alert.ts'
import type { FoundDifference } from '../difference/difference.ts'
import { encodeForTest } from '../event/encode-event.fixture.ts'
import { countingIds } from '../ids.fixture.ts'
import type { NetworkAnswer } from '../network/qr-network.ts'
import { payoutAlerts } from './alerts.ts'
import { cancelPayout } from './open-payout.ts'
import { at, completed, processing } from './payout.fixture.ts'
import { ownerClaim, type PayoutStore } from './ports.ts'
import { recordContradiction, settleOrYield } from './settle-or-yield.ts'

const paid: NetworkAnswer = { type: 'paid', amount: processing.target, paymentId: 'pay-1' }
const refused: NetworkAnswer = { type: 'refused_payment' }
const cancelled = cancelPayout(processing, processing.qr, 'QUOTE_EXPIRED', at).payout

test.each([
  [processing, paid, 0],
  [processing, refused, 0],
  [completed.payout, paid, 0],
  [completed.payout, refused, 1],
  [cancelled, paid, 1],
  [cancelled, refused, 0],
] as const)('only an ended payout contradicts an answer of the other outcome (%#)', async (...row) => {
  const [payout, answer, count] = row
  const found: FoundDifference[] = []
  const differences = { record: async (each: readonly FoundDifference[]) => void found.push(...each) }
  await recordContradiction({ differences, ids: countingIds(), now: () => at }, payout, answer)
  expect(found).toHaveLength(count)
})

/** Settles the payout with an answer. @param committed  the result of the write */
async function settle(
  answer: NetworkAnswer,
  committed: Awaited<ReturnType<PayoutStore['commit']>>,
  yieldClaim: PayoutStore['yieldClaim'] = async () => true,
) {
  const alerts: Alert[] = []
  const differences: FoundDifference[] = []
  const raiseAlert = (alert: Alert) => void alerts.push(alert)
  const ports = {
    payouts: { commit: async () => committed, get: async () => completed.payout, yieldClaim },
    encodeEvent: encodeForTest,
    ids: countingIds(),
    now: () => at,
    raiseAlert,
    differences: { record: async (found: readonly FoundDifference[]) => void differences.push(...found) },
  }
  const payout = await settleOrYield(ports, ownerClaim(processing), processing, answer, {
    timing: 'afterwards',
    alerts: payoutAlerts(raiseAlert, processing, {}),
    otherwise: { dueInSeconds: 2 },
    calls: [],
    givenRef: null,
  })
  return { payout, alerts, differences }
}

test('a settlement that the store redates has the store’s instant', async () => {
  const redatedTo = new Date(at.getTime() + 5)
  const { payout } = await settle(refused, { redatedTo })
  expect(payout).toMatchObject({ status: 'failed', endedAt: redatedTo })
})

test('a late answer of the other outcome is a difference that names both', async () => {
  const { payout, alerts, differences } = await settle(refused, 'stale')
  expect(payout).toBe(completed.payout)
  expect(alerts).toEqual([])
  expect(differences).toMatchObject([
    { check: 'network', kind: 'contradicts', detail: 'completed, then refused_payment' },
  ])
  expect((await settle(paid, 'stale')).differences).toEqual([])
})

test('a claim that cannot be yielded leaves the payout as it is', async () => {
  const { payout } = await settle({ type: 'pending' }, 'committed', async () => {
    throw new Error('no connection')
  })
  expect(payout).toBe(processing)
})
