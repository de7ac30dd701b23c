import { expect, test } from 'vitest'
import { encodeForTest } from '../event/encode-event.fixture.ts'
import { countingIds } from '../ids.fixture.ts'
import { Unavailable } from '../unavailable.ts'
import { at, processing, quote } from './payout.fixture.ts'
import { submitPayment } from './submit-payment.ts'

const lease = { leaseSeconds: 15, renewEveryMs: 5_000 }

/** Submits a payment. @param committedMs  how long the commit took that accepted the payout */
async function submit(committedMs: number, isNewest = true, left: readonly number[] = []) {
  const calls: string[] = []
  const background: Promise<unknown>[] = []
  const leftMs = left.values()
  const ports = {
    payouts: {
      commit: async () => 'committed' as const,
      get: async () => undefined,
      renew: async () => {
        calls.push('renew')
        return isNewest
      },
      yieldClaim: async () => {
        calls.push('yield')
        throw new Error('no connection')
      },
    },
    network: {
      pay: async () => {
        calls.push('pay')
        return { type: 'paid', amount: quote.target, paymentId: 'pay-1' } as const
      },
    },
    encodeEvent: encodeForTest,
    ids: countingIds(),
    now: () => at,
    monotonic: () => committedMs,
    timer: () => ({ done: new Promise<void>(() => undefined), cancel: () => undefined }),
    raiseAlert: () => undefined,
    inBackground: (work: Promise<unknown>) => void background.push(work),
    differences: { record: async () => undefined },
  }
  const order = {
    reference: 'po_1',
    networkRef: 'nr-1',
    content: '',
    amountMode: 'closed',
    amount: quote.target,
  } as const
  const payout = await submitPayment(
    ports,
    lease,
    processing,
    { ...order, description: null },
    { deadline: { leftMs: () => leftMs.next().value ?? 1_000 }, sentAtMs: 0 },
  ).catch((error: unknown) => error)
  return { calls, payout, background }
}

test('a commit that took no longer than a renewal’s interval needs none', async () => {
  expect(await submit(5_000)).toMatchObject({ calls: ['pay'], payout: { status: 'completed' } })
})

test('after a longer commit the lease is renewed before the payment', async () => {
  expect((await submit(5_001)).calls).toEqual(['renew', 'pay'])
})

test('when a worker has claimed the payout meanwhile, nothing is paid', async () => {
  expect(await submit(5_001, false)).toEqual({ calls: ['renew'], payout: undefined, background: [] })
})

test('after the deadline the claim is yielded and nothing is paid, also when yielding fails', async () => {
  const { calls, payout } = await submit(0, true, [0])
  expect(calls).toEqual(['yield'])
  expect(payout).toEqual(new Unavailable('store', 'no time was left to pay; a worker cancels the payout'))
})

test('what is settled after the deadline is work that a host awaits', async () => {
  const { calls, payout, background } = await submit(0, true, [1_000, 0])
  expect([calls, payout, background]).toEqual([['pay'], processing, [expect.any(Promise)]])
  await Promise.all(background)
})
