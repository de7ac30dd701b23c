// What must hold of a payment when the network between the client and the API fails, against any API.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fault, faults } from './faulty-proxy.fixture.ts'
import { openFaultyWorld, type FaultyWorld, type Target } from './faulty-world.fixture.ts'
import { type Payout, QuipuError } from '../index.ts'

export type { Target } from './faulty-world.fixture.ts'

type World = () => FaultyWorld

/** Registers the suite. @param open  is called once, before the first test */
export function faultSuite(name: string, open: () => Promise<Target>): void {
  describe(`a payment through a network that fails, ${name}`, () => {
    let opened: FaultyWorld
    beforeAll(async () => {
      opened = await openFaultyWorld(await open())
    })
    afterAll(async () => opened[Symbol.asyncDispose]())
    madeOnce(() => opened)
    ended(() => opened)
    givenUp(() => opened)
    listed(() => opened)

    test('leaves the wallet with what all of them cost less, and nothing held', async () => {
      await opened.expectBalanced()
    })
  })
}

/** The others wait for the caller's own deadline. */
const isQuick = (fault: Fault): boolean => fault !== 'answer held'

function madeOnce(world: World): void {
  test.each(faults)('is made once when its %s', async (fault) => {
    const { order, proxy, faulty, expectPaidOnce } = world()
    const body = await order()
    proxy.plan(fault)
    await expectPaidOnce(body, await faulty.payouts.createAndWait(body))
  })

  test('is made once whatever befalls its requests', async () => {
    const { order, proxy, faulty, expectPaidOnce } = world()
    const anyFault = fc.constantFrom<Fault[]>('none', ...faults.filter(isQuick))
    await fc.assert(
      fc.asyncProperty(fc.array(anyFault, { maxLength: 6 }), async (plan) => {
        const body = await order()
        proxy.plan(...plan)
        await expectPaidOnce(body, await faulty.payouts.createAndWait(body))
      }),
      { numRuns: 15 },
    )
  })

  test('is made once when it is sent five times at once', async () => {
    const { order, proxy, faulty, expectPaidOnce } = world()
    const body = await order()
    proxy.plan('answer dropped', 'request dropped', 'none', 'answer is junk', 'answer cut')
    const payouts = await Promise.all(
      Array.from({ length: 5 }, async () => faulty.payouts.createAndWait(body)),
    )
    await expectPaidOnce(body, payouts[0] as Payout)
    expect(new Set(payouts.map(({ id }) => id)).size).toBe(1)
  })
}

function ended(world: World): void {
  test('that ends late is waited for', async () => {
    const { order, proxy, faulty, expectPaidOnce } = world()
    const body = await order('late')
    proxy.plan('answer dropped', 'none', 'answer is 502', 'none', 'answer dropped')
    await expectPaidOnce(body, await faulty.payouts.createAndWait(body))
  })

  test('that is refused debits nothing, once', async () => {
    const { order, proxy, faulty, direct } = world()
    const body = await order('refused')
    proxy.plan('answer dropped')
    const payout = await faulty.payouts.createAndWait(body)
    const error = { code: 'PAYMENT_FAILED' }
    expect(payout).toMatchObject({ status: 'failed', source: null, error })
    const { transaction_id } = body
    expect((await direct.payouts.list({ transaction_id }).page()).data).toEqual([payout])
  })
}

function givenUp(world: World): void {
  test('that is called off by its caller is found by the same call', async () => {
    const { order, proxy, faulty, expectPaidOnce } = world()
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

  test('that is given up says that it may have been made, and the same call tells', async () => {
    const { order, proxy, faulty, expectPaidOnce } = world()
    const body = await order()
    proxy.plan('answer dropped', 'turned away with 429')
    const paying = faulty.payouts.create(body, { retries: 1 })
    const error = await paying.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(QuipuError)
    expect(error).toMatchObject({ status: 429, uncertain: true })
    await expectPaidOnce(body, await faulty.payouts.createAndWait(body))
  })
}

function listed(world: World): void {
  test('is in the list once, however its pages arrive', async () => {
    const { order, proxy, faulty, direct } = world()
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
