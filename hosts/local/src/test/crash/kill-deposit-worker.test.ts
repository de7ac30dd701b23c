import { describe, test } from 'vitest'
import {
  depositsOf,
  expectCreditedOnce,
  type FundingWorld,
  openFundingWorld,
  topUpAddressOf,
} from '../harness/deposit-harness.fixture.ts'
import { type Program, until } from '../harness/process.fixture.ts'

const value = 25_000_000n

/** A tenant with an address, to which a transfer has been sent that is in no block yet. */
async function sent(world: FundingWorld) {
  const api = await world.openApi()
  const to = await topUpAddressOf(api)
  return { api, txHash: world.chain.transfer({ from: world.sender, to, value }) }
}

/** Kills the worker, lets go of whatever it waited for, and opens another one. */
async function replace(world: FundingWorld, worker: Program): Promise<void> {
  await worker.kill()
  world.chain.clearFaults()
  world.openWorker()
}

describe.concurrent('kill -9 of the worker', () => {
  const mineTwo = ({ chain }: FundingWorld): void => void chain.mine(2)
  const solidify = (world: FundingWorld): void => world.solidify()
  // A block that is solid already need not be read at the head as well.
  test.for([
    ['while it reads the head', 'wallet/gettransactioninfobyblocknum', mineTwo],
    ['while it reads a solid block', 'walletsolidity/gettransactioninfobyblocknum', solidify],
    [
      'while it asks the chain about the sender',
      'walletsolidity/triggerconstantcontract',
      solidify,
    ],
  ] as const)('%s: the next one credits, once', async ([, on, mine], { expect }) => {
    await using world = await openFundingWorld()
    const { api } = await sent(world)
    const worker = await world.startWorker()
    world.chain.addFaults({ kind: 'hang', when: 'before', on, times: 1 })
    mine(world)
    await world.chain.untilHanging(1)

    await replace(world, worker)

    world.solidify()
    await world.untilDeposits(api, 'credited')
    await expectCreditedOnce(expect, world, api)
  })

  test('while an observed transfer is being written: it is there once, and credited once', async ({
    expect,
  }) => {
    await using world = await openFundingWorld()
    const { api } = await sent(world)
    const worker = await world.startWorker()
    const unlock = await world.database.lockTable('deposit')
    world.chain.mine(2)
    await world.database.untilSomebodyWaits()

    await worker.kill()
    await unlock()
    world.openWorker()

    await world.untilDeposits(api, 'pending')
    world.solidify()
    await world.untilDeposits(api, 'credited')
    await expectCreditedOnce(expect, world, api)
  })

  test('while a deposit is being credited: it is credited once', async ({ expect }) => {
    await using world = await openFundingWorld()
    const { api } = await sent(world)
    const worker = await world.startWorker()
    world.chain.mine(2)
    await world.untilDeposits(api, 'pending')
    const unlock = await world.database.lockWallets()
    world.solidify()
    await world.database.untilSomebodyWaits()

    await worker.kill()
    await unlock()
    world.openWorker()

    await world.untilDeposits(api, 'credited')
    await expectCreditedOnce(expect, world, api)
  })

  test('before a fork that drops the transfer: it is in review, and nothing is credited', async ({
    expect,
  }) => {
    await using world = await openFundingWorld()
    const { api, txHash } = await sent(world)
    const worker = await world.startWorker()
    world.chain.mine(2)
    await world.untilDeposits(api, 'pending')

    await worker.kill()
    world.chain.fork(2, { drop: [txHash] })
    world.openWorker()
    await until('the transfer has expired', async () => {
      world.chain.mine(100) // Each block is three seconds; a transfer lasts an hour.
      const [deposit] = await depositsOf(api)
      return deposit?.status === 'in_review'
    })

    const [deposit] = await depositsOf(api)
    expect(deposit).toMatchObject({ status: 'in_review', review_code: 'TRANSFER_DROPPED' })
    await expectCreditedOnce(expect, world, api)
  })

  test('two workers, killed and replaced in turn while transfers keep coming: each is credited once', async ({
    expect,
  }) => {
    await using world = await openFundingWorld()
    const api = await world.openApi()
    const to = await topUpAddressOf(api)
    let [one, other] = [await world.startWorker(), await world.startWorker()]
    for (let round = 0; round < 4; round++) {
      for (let n = 0; n < 5; n++) {
        world.chain.transfer({ from: world.sender, to, value: value + BigInt(n) })
        world.chain.mine()
      }
      if (round % 2 === 1) world.chain.fork(2)
      await one.kill()
      ;[one, other] = [other, await world.startWorker()]
    }
    world.solidify()

    await world.untilDeposits(api, ...Array.from({ length: 20 }, () => 'credited'))
    await expectCreditedOnce(expect, world, api)
    expect(other.isRunning()).toBe(true)
  })
})
