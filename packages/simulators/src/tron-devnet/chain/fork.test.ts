import fc from 'fast-check'
import { expect, test } from 'vitest'
import { alice, bruno, carla, startFixture } from '../devnet.fixture.ts'

test('a fork replaces blocks by others that link to the remaining chain', async () => {
  const { ask, devnet } = await startFixture()
  const { id } = devnet.mine(3)
  const before = devnet.head()
  const after = devnet.fork(2)
  expect([before.number, after.number]).toEqual([4, 5])
  const block = async (num: number) => (await ask('wallet/getblockbynum', { num })).body
  const ids = await Promise.all([1, 2, 3, 4, 5].map(async (n) => (await block(n))['blockID']))
  expect(ids[3]).not.toBe(id)
  for (const n of [2, 3, 4, 5])
    expect(await block(n)).toMatchObject({ block_header: { raw_data: { number: n, parentHash: ids[n - 2] } } })
})

test('replaced transactions are in the new blocks, except dropped ones', async () => {
  const { ask, devnet } = await startFixture()
  devnet.setTokenBalance(bruno, 10n)
  const kept = devnet.transfer({ from: bruno, to: alice, value: 1n })
  const dropped = devnet.transfer({ from: bruno, to: carla, value: 2n })
  devnet.mine(2)
  devnet.fork(2, { drop: [dropped] })
  const info = async (value: string) => (await ask('wallet/gettransactioninfobyid', { value })).body
  expect(await info(kept)).toMatchObject({ blockNumber: 2 })
  expect(await info(dropped)).toEqual({})
  expect([alice, bruno, carla].map((who) => devnet.tokenBalance(who))).toEqual([1n, 9n, 0n])
  devnet.fork(3, { drop: 'all' })
  expect(await info(kept)).toEqual({})
  expect(devnet.tokenBalance(bruno)).toBe(10n)
})

test('replaced transactions can be mined later, in another order, or with another result', async () => {
  const { devnet } = await startFixture()
  devnet.setTokenBalance(bruno, 10n)
  const first = devnet.transfer({ from: bruno, to: alice, value: 10n })
  const second = devnet.transfer({ from: bruno, to: carla, value: 10n })
  devnet.mine()
  expect(devnet.transfers().map(({ txid }) => txid)).toEqual([first])
  devnet.fork(1, { blocks: 3, into: 1, reverse: true })
  expect(devnet.transfers()).toMatchObject([{ txid: second, block: 3 }])
  devnet.fork(3, { into: null })
  expect(devnet.transfers()).toEqual([])
  expect(devnet.pending()).toHaveLength(2)
})

test('no fork replaces the solid block', async () => {
  const { devnet } = await startFixture({ solidLag: 2 })
  devnet.mine(5)
  expect(devnet.head('solid').number).toBe(4)
  expect(() => devnet.fork(3)).toThrow('Block 4 is solid')
  expect(devnet.fork(2).number).toBe(7)
})

test('the solid block never decreases, and does not move while stalled', async () => {
  const { devnet } = await startFixture({ solidLag: 2 })
  devnet.mine(4)
  devnet.stallSolid()
  devnet.mine(10)
  expect(devnet.head('solid').number).toBe(3)
  devnet.fork(12, { blocks: 1 })
  expect([devnet.head().number, devnet.head('solid').number]).toEqual([4, 3])
  devnet.stallSolid(false)
  expect(devnet.mine(3)).toMatchObject({ number: 7 })
  expect(devnet.head('solid').number).toBe(5)
})

test('forks and solid views reach back to a solid block that is stalled for long', async () => {
  const { devnet } = await startFixture({ solidLag: 0 })
  devnet.setTokenBalance(bruno, 10n)
  const { number } = devnet.mine()
  devnet.stallSolid()
  devnet.transfer({ from: bruno, to: alice, value: 4n })
  devnet.mine(1_500)
  expect([devnet.tokenBalance(alice), devnet.tokenBalance(alice, 'solid')]).toEqual([4n, 0n])
  devnet.fork(1_500, { drop: 'all', blocks: 1 })
  expect([devnet.head().number, devnet.tokenBalance(alice)]).toEqual([number + 1, 0n])
})

test('changes by controls stay on every branch', async () => {
  const { devnet, wallet } = await startFixture()
  const { address } = await wallet()
  devnet.setTokenBalance(bruno, 10n)
  devnet.transfer({ from: bruno, to: alice, value: 4n })
  devnet.mine()
  devnet.setTokenBalance(bruno, 100n)
  devnet.fund(address, { sun: 7n })
  devnet.fork(1, { drop: 'all' })
  expect(devnet.tokenBalance(bruno)).toBe(104n)
  expect(devnet.trxBalance(address)).toBe(7n)
})

type Step = { readonly mine: number } | { readonly fork: number; readonly drop: boolean } | 'send'

test('balances always equal the sums of transfers on the chain', async () => {
  const steps = fc.array(
    fc.oneof(
      fc.constant<Step>('send'),
      fc.record({ mine: fc.integer({ min: 0, max: 3 }) }),
      fc.record({ fork: fc.integer({ min: 0, max: 5 }), drop: fc.boolean() }),
    ),
    { maxLength: 30 },
  )
  const { devnet } = await startFixture({ solidLag: 5 })
  devnet.setTokenBalance(bruno, 1_000_000n)
  const balances = (level: 'head' | 'solid') => {
    let moved = 0n
    for (const { value } of devnet.transfers(level)) moved += value
    return { alice: devnet.tokenBalance(alice, level), moved }
  }
  fc.assert(
    fc.property(steps, (steps) => {
      for (const step of steps) {
        const solid = devnet.transfers('solid')
        if (step === 'send') devnet.transfer({ from: bruno, to: alice, value: 3n })
        else if ('mine' in step) devnet.mine(step.mine)
        else {
          const depth = Math.min(step.fork, devnet.head().number - devnet.head('solid').number)
          devnet.fork(depth, { drop: step.drop ? 'all' : [] })
        }
        expect(devnet.transfers('solid').slice(0, solid.length)).toEqual(solid)
        for (const level of ['head', 'solid'] as const) {
          const { alice, moved } = balances(level)
          expect(alice).toBe(moved)
        }
      }
    }),
    { numRuns: 30 },
  )
})
