// Properties of a payment when the network between the client and the API fails, for any API.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fault, faults } from './faulty-proxy.fixture.ts'
import { openFaultHarness, type FaultHarness, type Target } from './fault-harness.fixture.ts'
import { type Payout, QuipuError } from '../index.ts'

export type { Target } from './fault-harness.fixture.ts'

type Harness = () => FaultHarness

/** Registers the suite. @param open  called once, before the first test */
export function faultSuite(name: string, open: () => Promise<Target>): void {
  describe(`a payment through a faulty network, ${name}`, () => {
    let harness: FaultHarness
    beforeAll(async () => {
      harness = await openFaultHarness(await open())
    })
    afterAll(async () => harness[Symbol.asyncDispose]())
    paysOnce(() => harness)
    settles(() => harness)
    abandons(() => harness)
    lists(() => harness)

    test('debits the wallet for all of them and holds nothing', async () => {
      await harness.expectBalanced()
    })
  })
}

/** A held answer lasts until the caller's deadline. */
const isQuick = (fault: Fault): boolean => fault !== 'answer held'

function paysOnce(harness: Harness): void {
  test.each(faults)('is made once when its %s', async (fault) => {
    const { order, proxy, faulty, expectPaidOnce } = harness()
    const body = await order()
    proxy.plan(fault)
    await expectPaidOnce(body, await faulty.payouts.createAndWait(body))
  })

  test('is made once under any sequence of faults, by one or more callers', async () => {
    const { order, proxy, faulty, expectPaidOnce } = harness()
    const anyFault = fc.constantFrom<Fault[]>('none', ...faults.filter(isQuick))
    const plans = fc.array(anyFault, { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(plans, fc.integer({ min: 1, max: 3 }), async (plan, callers) => {
        const body = await order()
        proxy.plan(...plan)
        const calls = Array.from({ length: callers }, async () => faulty.payouts.createAndWait(body))
        const [payout, ...others] = await Promise.all(calls)
        await expectPaidOnce(body, payout as Payout)
        expect(others.map(({ id }) => id)).toEqual(others.map(() => payout?.id))
      }),
      { numRuns: 15 },
    )
  })

  test('is made once when it is sent five times concurrently', async () => {
    const { order, proxy, faulty, expectPaidOnce } = harness()
    const body = await order()
    proxy.plan('answer dropped', 'request dropped', 'none', 'answer is junk', 'answer cut')
    const payouts = await Promise.all(Array.from({ length: 5 }, async () => faulty.payouts.createAndWait(body)))
    await expectPaidOnce(body, payouts[0] as Payout)
    expect(new Set(payouts.map(({ id }) => id)).size).toBe(1)
  })
}

function settles(harness: Harness): void {
  test('that ends late is polled until it ends', async () => {
    const { order, proxy, faulty, expectPaidOnce } = harness()
    const body = await order('late')
    proxy.plan('answer dropped', 'none', 'answer is 502', 'none', 'answer dropped')
    await expectPaidOnce(body, await faulty.payouts.createAndWait(body))
  })

  test('that is refused is one payout without a debit', async () => {
    const { order, proxy, faulty, direct } = harness()
    const body = await order('refused')
    proxy.plan('answer dropped')
    const payout = await faulty.payouts.createAndWait(body)
    const error = { code: 'PAYMENT_FAILED' }
    expect(payout).toMatchObject({ status: 'failed', source: null, error })
    const { transaction_id } = body
    expect((await direct.payouts.list({ transaction_id }).page()).data).toEqual([payout])
  })
}

function abandons(harness: Harness): void {
  test('aborted by its caller is found by the same call', async () => {
    const { order, proxy, faulty, expectPaidOnce } = harness()
    const body = await order()
    proxy.plan('answer held')
    const called = new AbortController()
    const before = proxy.requests.length
    const paying = faulty.payouts.create(body, { signal: called.signal })
    await expect.poll(() => proxy.requests.length).toBe(before + 1)
    called.abort(new Error('the user has left'))
    await expect(paying).rejects.toThrow('the user has left')
    await expectPaidOnce(body, await faulty.payouts.createAndWait(body))
  })

  test('that fails uncertainly is resolved by the same call', async () => {
    const { order, proxy, faulty, expectPaidOnce } = harness()
    const body = await order()
    proxy.plan('answer dropped', 'refused with 429')
    const paying = faulty.payouts.create(body, { retries: 1 })
    const error = await paying.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(QuipuError)
    expect(error).toMatchObject({ status: 429, uncertain: true })
    await expectPaidOnce(body, await faulty.payouts.createAndWait(body))
  })
}

function lists(harness: Harness): void {
  test('is listed once, whatever faults its pages have', async () => {
    const { order, proxy, faulty, direct } = harness()
    const made: string[] = []
    for (let count = 0; count < 3; count++) {
      made.unshift((await direct.payouts.createAndWait(await order())).id)
    }
    proxy.plan('none', 'answer cut', 'none', 'answer dropped')
    const found: string[] = []
    for await (const { id } of faulty.payouts.list({ limit: 1 })) {
      found.push(id)
      if (found.length === 3) break
    }
    expect(found).toEqual(made)
  })
}
