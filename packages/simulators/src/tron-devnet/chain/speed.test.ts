import { expect, test } from 'vitest'
import { alice, bruno, startFixture } from '../devnet.fixture.ts'

const blocks = 10
const transfers = 600

/** Transactions per second of CPU time, which a busy machine hardly changes. */
async function rate(run: () => unknown): Promise<number> {
  const begun = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(begun)
  return (blocks * transfers * 1_000_000) / (user + system)
}

test('thousands of transactions a second are accepted, mined and read', async () => {
  const { ask, devnet } = await startFixture()
  devnet.setTokenBalance(bruno, 10n ** 15n)
  const minedRate = await rate(() => {
    for (let block = 0; block < blocks; block++) {
      for (let i = 0; i < transfers; i++) devnet.transfer({ from: bruno, to: alice, value: 1n })
      devnet.mine()
    }
  })
  const readRate = await rate(async () => {
    for (let num = 2; num < 2 + blocks; num++) {
      const { body } = await ask('wallet/gettransactioninfobyblocknum', { num })
      expect(body).toHaveLength(transfers)
    }
  })
  expect(devnet.tokenBalance(alice)).toBe(BigInt(blocks * transfers))
  expect(minedRate).toBeGreaterThan(2_000)
  expect(readRate).toBeGreaterThan(5_000)
})
