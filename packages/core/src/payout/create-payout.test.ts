import { expect, test } from 'vitest'
import { encodeForTest } from '../event/encode-event.fixture.ts'
import { countingIds } from '../ids.fixture.ts'
import { cancelling } from '../network/qr-network.ts'
import { tenant } from '../tenant/tenant.fixture.ts'
import type { Deadline } from '../time.ts'
import { Unavailable } from '../unavailable.ts'
import { createPayout } from './create-payout.ts'
import { defaultPayoutSettings } from './payout-request.ts'
import { at, completed, processing, quote } from './payout.fixture.ts'
import type { PayoutCommit, PayoutStore, StoredPayout } from './ports.ts'

const request = {
  transactionId: 'order-1',
  quoteId: 'q-1',
  content: 'content',
  description: null,
  keyId: 'key_1',
  fingerprint: 'body-1',
}

type Script = {
  /** The result of each commit. */
  readonly results: readonly Awaited<ReturnType<PayoutStore['commit']>>[]
  /** Found when the payout is read back. */
  readonly winner?: StoredPayout
  readonly isRefused?: boolean
  readonly deadline?: Deadline
}

/** Pays once. */
async function pay({ results, winner, isRefused, deadline }: Script) {
  const commits: PayoutCommit[] = []
  const paid: string[] = []
  const create = createPayout(
    {
      payouts: {
        findForCreate: async () => {
          const view = { quote, status: 'open', payoutId: null } as const
          return { stored: undefined, quote: view, resolution: undefined }
        },
        find: async () => winner,
        get: async () => completed.payout,
        commit: async (write) => {
          commits.push(write)
          const result = results[commits.length - 1]
          if (result === undefined) throw new Error('one commit too many')
          return result
        },
        renew: async () => true,
        markOrdered: () => expect.fail('the network can cancel'),
        yieldClaim: async () => true,
      },
      network: {
        capabilities: cancelling,
        readQr: async () =>
          isRefused
            ? { type: 'refused_qr', reason: 'used' }
            : {
                type: 'read',
                networkRef: 'nr-1',
                description: null,
                expiresAt: null,
                ...processing.qr,
                amount: quote.target,
              },
        pay: async ({ reference }) => {
          paid.push(reference)
          return { type: 'paid', amount: quote.target, paymentId: 'pay-1' }
        },
      },
      encodeEvent: encodeForTest,
      ids: countingIds(),
      now: () => at,
      monotonic: () => 0,
      timer: () => ({ done: new Promise(() => undefined), cancel: () => undefined }),
      differences: { record: async () => undefined },
      raiseAlert: () => undefined,
      inBackground: () => undefined,
    },
    defaultPayoutSettings,
  )
  const answer = await create(tenant, request, deadline).catch((error: unknown) => error)
  return { answer, commits, kinds: commits.map(({ kind }) => kind), paid }
}

const winner: StoredPayout = { payout: completed.payout, fingerprint: 'body-1', leased: false, ageMs: 0 }

test.each([[0], [-1]])('with %i ms left nothing is written', async (left) => {
  const { answer, kinds, paid } = await pay({ results: [], deadline: { leftMs: () => left } })
  expect(answer).toEqual(new Unavailable('store', 'no time was left to write anything'))
  expect([kinds, paid]).toEqual([[], []])
})

test.each([
  ['accept', false],
  ['insert_ended', true],
])('the commit `%s` is dropped after the request’s deadline', async (kind, isRefused) => {
  const deadline = { leftMs: () => 1_000 }
  const { commits } = await pay({ results: ['committed', 'committed'], isRefused, deadline })
  expect(commits[0]).toMatchObject({ kind, deadline, step: { payout: { keyId: 'key_1' } } })
})

test.each([
  ['accept', false],
  ['insert_ended', true],
])('a caller whom the commit `%s` refuses gets no payout, and nothing is paid', async (kind, isRefused) => {
  const { answer, kinds, paid } = await pay({ results: ['not_allowed'], isRefused })
  expect(answer).toEqual({ type: 'refused', code: 'AUTHENTICATION_FAILED', payoutId: null })
  expect([kinds, paid]).toEqual([[kind], []])
})

test('a rejected payout that the store redates is answered with its instant', async () => {
  const redatedTo = new Date(at.getTime() + 5)
  const { answer } = await pay({ results: [{ redatedTo }], isRefused: true })
  expect(answer).toMatchObject({ payout: { status: 'rejected', endedAt: redatedTo } })
})

test('a rejected payout that loses a race is answered with the winner’s', async () => {
  const { answer } = await pay({ results: ['stale'], isRefused: true, winner })
  expect(answer).toMatchObject({ payout: { status: 'completed' }, replayed: true })
})
