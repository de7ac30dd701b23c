import { describe, test } from 'vitest'
import {
  depositsOf,
  expectCreditedOnce,
  type DepositHarness,
  openDepositHarness,
  topUpAddressOf,
} from '../harness/deposit-harness.fixture.ts'
import { type Program, until } from '../harness/process.fixture.ts'

const value = 25_000_000n

/** Sends a transfer to a tenant's address; it is in no block yet. */
async function sendTransfer(harness: DepositHarness) {
  const api = await harness.openApi()
  const to = await topUpAddressOf(api)
  return { api, txHash: harness.chain.transfer({ from: harness.sender, to, value }) }
}

/** Kills the worker, releases the requests that hang, and starts a new worker. */
async function replace(harness: DepositHarness, worker: Program): Promise<void> {
  await worker.kill()
  harness.chain.clearFaults()
  await harness.openWorker()
}

describe.concurrent('kill -9 of a worker that credits deposits', () => {
  const mineTwo = ({ chain }: DepositHarness): void => void chain.mine(2)
  const solidify = (harness: DepositHarness): void => harness.solidify()
  // The worker does not read a block at the head if it is already solid.
  test.for([
    ['while it reads the head', 'wallet/gettransactioninfobyblocknum', mineTwo],
    ['while it reads a solid block', 'walletsolidity/gettransactioninfobyblocknum', solidify],
    ['while it checks the sender', 'walletsolidity/triggerconstantcontract', solidify],
  ] as const)('%s: the next worker credits once', async ([, on, mine], { expect }) => {
    await using harness = await openDepositHarness()
    const { api } = await sendTransfer(harness)
    const worker = await harness.startWorker()
    harness.chain.addFaults({ kind: 'hang', when: 'before', on, times: 1 })
    mine(harness)
    await harness.chain.untilHanging(1)

    await replace(harness, worker)

    harness.solidify()
    await harness.untilDeposits(api, 'credited')
    await expectCreditedOnce(expect, harness, api)
  })

  test('while an observed transfer is being stored: it is stored and credited once', async ({ expect }) => {
    await using harness = await openDepositHarness()
    const { api } = await sendTransfer(harness)
    const worker = await harness.startWorker()
    const unlock = await harness.database.lockTable('deposit')
    harness.chain.mine(2)
    await harness.database.untilAnyBlocked()

    await worker.kill()
    await unlock()
    await harness.openWorker()

    await harness.untilDeposits(api, 'pending')
    harness.solidify()
    await harness.untilDeposits(api, 'credited')
    await expectCreditedOnce(expect, harness, api)
  })

  test('while a deposit is being credited: it is credited once', async ({ expect }) => {
    await using harness = await openDepositHarness()
    const { api } = await sendTransfer(harness)
    const worker = await harness.startWorker()
    harness.chain.mine(2)
    await harness.untilDeposits(api, 'pending')
    const unlock = await harness.database.lockWallets()
    harness.solidify()
    await harness.database.untilAnyBlocked()

    await worker.kill()
    await unlock()
    await harness.openWorker()

    await harness.untilDeposits(api, 'credited')
    await expectCreditedOnce(expect, harness, api)
  })

  test('before a fork that drops the transfer: the deposit goes to review without a credit', async ({ expect }) => {
    await using harness = await openDepositHarness()
    const { api, txHash } = await sendTransfer(harness)
    const worker = await harness.startWorker()
    harness.chain.mine(2)
    await harness.untilDeposits(api, 'pending')

    await worker.kill()
    harness.chain.fork(2, { drop: [txHash] })
    await harness.openWorker()
    await until('the transfer has expired', async () => {
      harness.chain.mine(100) // A block takes three seconds; a transfer expires after an hour.
      const [deposit] = await depositsOf(api)
      return deposit?.status === 'in_review'
    })

    const [deposit] = await depositsOf(api)
    expect(deposit).toMatchObject({ status: 'in_review', review_code: 'TRANSFER_DROPPED' })
    await expectCreditedOnce(expect, harness, api)
  })

  test('two workers, killed and replaced in turn during transfers: each transfer is credited once', async ({
    expect,
  }) => {
    await using harness = await openDepositHarness()
    const api = await harness.openApi()
    const to = await topUpAddressOf(api)
    let [first, second] = [await harness.startWorker(), await harness.startWorker()]
    for (let kill = 0; kill < 4; kill++) {
      for (let n = 0; n < 5; n++) {
        harness.chain.transfer({ from: harness.sender, to, value: value + BigInt(n) })
        harness.chain.mine()
      }
      if (kill % 2 === 1) harness.chain.fork(2)
      await first.kill()
      ;[first, second] = [second, await harness.startWorker()]
    }
    harness.solidify()

    await harness.untilDeposits(api, ...Array.from({ length: 20 }, () => 'credited'))
    await expectCreditedOnce(expect, harness, api)
    expect(second.isRunning()).toBe(true)
  })
})
