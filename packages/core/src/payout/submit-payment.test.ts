import { expect, test } from 'vitest'
import { encodeForTest } from '../event/encode-event.fixture.ts'
import { countingIds } from '../ids.fixture.ts'
import { Unavailable } from '../unavailable.ts'
import { at, processing, quote } from './payout.fixture.ts'
import { withoutCancel } from '../network/qr-network.fixture.ts'
import { cancelling } from '../network/qr-network.ts'
import type { PayoutCommit } from './ports.ts'
import { submitPayment } from './submit-payment.ts'

const lease = { leaseSeconds: 15, renewEveryMs: 5_000 }

/** Submits a payment. @param committedMs  how long the commit took that accepted the payout */
async function submit(committedMs: number, isNewest = true, left: readonly number[] = [], capabilities = cancelling) {
  const calls: string[] = []
  const settled: string[] = []
  const background: Promise<unknown>[] = []
  const leftMs = left.values()
  const ports = {
    payouts: {
      commit: async ({ step }: PayoutCommit) => {
        settled.push(step.payout.status)
        return 'committed' as const
      },
      get: async () => undefined,
      renew: async () => {
        calls.push('renew')
        return isNewest
      },
      markOrdered: async () => {
        calls.push('mark')
        return isNewest
      },
      yieldClaim: async () => expect.fail('the answer is final'),
    },
    network: {
      capabilities,
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
  await Promise.all(background)
  return { calls, payout, settled, background: background.length }
}

test('a commit that took no longer than a renewal’s interval needs none', async () => {
  expect(await submit(5_000)).toMatchObject({ calls: ['pay'], payout: { status: 'completed' } })
})

test('after a longer commit the lease is renewed before the payment', async () => {
  expect((await submit(5_001)).calls).toEqual(['renew', 'pay'])
})

test('when a worker has claimed the payout meanwhile, nothing is paid', async () => {
  expect(await submit(5_001, false)).toEqual({ calls: ['renew'], payout: undefined, settled: [], background: 0 })
})

test.each([
  ['', [0], cancelling, []],
  [' without cancel', [0], withoutCancel(), []],
  [', which passed while the order was marked', [1_000, 0], withoutCancel(), ['mark']],
])('after the deadline%s nothing is paid, and the owner cancels the payout', async (_, left, capabilities, calls) => {
  expect(await submit(0, true, left, capabilities)).toEqual({
    calls,
    payout: new Unavailable('store', 'no time was left to pay; the payout is cancelled'),
    settled: ['cancelled'],
    background: 1,
  })
})

test('without cancel each order is marked before it leaves, and none leaves without its mark', async () => {
  expect((await submit(0, true, [], withoutCancel())).calls).toEqual(['mark', 'pay'])
  expect(await submit(0, false, [], withoutCancel())).toMatchObject({ calls: ['mark'], payout: undefined, settled: [] })
})

test('what is settled after the deadline is work that a host awaits', async () => {
  const { calls, payout, background } = await submit(0, true, [1_000, 0])
  expect([calls, payout, background]).toEqual([['pay'], processing, 1])
})
