import { expect, test } from 'vitest'
import { tenant } from '../tenant/tenant.fixture.ts'
import { completed, processing } from './payout.fixture.ts'
import type { StoredPayout } from './ports.ts'
import { repeatPayout } from './repeat-payout.ts'

const first: StoredPayout = { payout: processing, fingerprint: 'body', leased: true, ageMs: 0 }

/** Repeats a request whose payout stays as it was first found. */
async function repeat(stored: StoredPayout, leftMs = 1_000) {
  const pauses: number[] = []
  let now = 0
  const answer = await repeatPayout(
    {
      ports: {
        payouts: { find: async () => ({ ...stored, ageMs: stored.ageMs + now }) },
        timer: (ms) => {
          pauses.push(ms)
          now += ms
          return { done: Promise.resolve(), cancel: () => undefined }
        },
      },
      settings: { answerWithinMs: 20_000 },
      tenant,
      request: { transactionId: 'order-1', fingerprint: 'body' },
      deadline: { leftMs: () => leftMs - now },
    },
    stored,
  )
  return { answer, pauses }
}

test('polls less and less often until the deadline', async () => {
  const { answer, pauses } = await repeat(first)
  expect(pauses).toEqual([20, 40, 80, 160, 250, 250, 200])
  expect(answer).toEqual({ type: 'payout', payout: processing, replayed: true })
})

test('polls no longer than the first request may take to answer', async () => {
  expect((await repeat({ ...first, ageMs: 19_950 })).pauses).toEqual([20, 30])
})

test('a payout that has ended is answered at once, also while its lease is alive', async () => {
  const { answer, pauses } = await repeat({ ...first, payout: completed.payout })
  expect(answer).toMatchObject({ payout: { status: 'completed' }, replayed: true })
  expect(pauses).toEqual([])
})
