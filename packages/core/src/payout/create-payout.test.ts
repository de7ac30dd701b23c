import { expect, test } from 'vitest'
import { encodeForTest } from '../event/encode-event.fixture.ts'
import { countingIds } from '../ids.fixture.ts'
import { cancelling } from '../network/qr-network.ts'
import { tenant } from '../tenant/tenant.fixture.ts'
import type { Tenant } from '../tenant/tenant.ts'
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
  readonly payer?: Tenant
  readonly deadline?: Deadline
}

/** Pays once. */
async function pay({ results, winner, isRefused, payer = tenant, deadline }: Script) {
  const commits: PayoutCommit[] = []
  const paid: string[] = []
  const readings: string[] = []
  const create = createPayout(
    {
      payouts: {
        findForCreate: async (_tenant, _transaction, _quote, reading) => {
          readings.push(reading)
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
  const answer = await create(payer, request, deadline).catch((error: unknown) => error)
  return { answer, commits, kinds: commits.map(({ kind }) => kind), paid, readings }
}

const winner: StoredPayout = { payout: completed.payout, fingerprint: 'body-1', leased: false, ageMs: 0 }

test('reads the quote once, accepts, pays and settles', async () => {
  const { answer, kinds, paid, readings } = await pay({ results: ['committed', 'committed'] })
  expect(answer).toMatchObject({
    type: 'payout',
    payout: { status: 'completed', networkPaymentId: 'pay-1' },
    replayed: false,
  })
  expect(readings).toEqual(['latest'])
  expect(kinds).toEqual(['accept', 'settle'])
  expect(paid).toHaveLength(1)
})

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

test('a suspended tenant pays nothing, and nothing is read', async () => {
  const payer = { ...tenant, status: 'suspended' } as const
  const { answer, kinds, paid, readings } = await pay({ results: [], payer })
  expect(answer).toEqual({ type: 'refused', code: 'AUTHENTICATION_FAILED', payoutId: null })
  expect([kinds, paid, readings]).toEqual([[], [], []])
})

test.each([
  ['accept', false],
  ['insert_ended', true],
])('a caller whom the commit `%s` refuses gets no payout, and nothing is paid', async (kind, isRefused) => {
  const { answer, kinds, paid } = await pay({ results: ['not_allowed'], isRefused })
  expect(answer).toEqual({ type: 'refused', code: 'AUTHENTICATION_FAILED', payoutId: null })
  expect([kinds, paid]).toEqual([[kind], []])
})

test('a winner that is not found is an outage, not an answer', async () => {
  const { answer } = await pay({ results: ['stale'] })
  expect(answer).toEqual(new Unavailable('store', 'payout not found on read-back'))
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
