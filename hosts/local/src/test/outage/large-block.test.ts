import { expect, test } from 'vitest'
import {
  type DepositHarness,
  expectCreditedOnce,
  openDepositHarness,
  topUpAddressOf,
} from '../harness/deposit-harness.fixture.ts'

const transactions = 20
const receiptBytes = 1_500_000

/** A block of other people's transactions whose receipts have 30 MB, and a deposit among them. */
async function mineLargeBlock({ chain, sender, openApi }: DepositHarness) {
  const api = await openApi()
  const to = await topUpAddressOf(api)
  for (let n = 0; n < transactions; n++) {
    if (n === transactions / 2) chain.transfer({ from: sender, to, value: 25_000_000n })
    else chain.scriptTx({ logs: [{ topics: ['Blown(uint256)'] }] })
  }
  chain.addFaults({ kind: 'large', bytes: receiptBytes, msPerMiB: 20 })
  const { number } = chain.mine()
  return { api, number }
}

test('a deposit in a block whose receipts have 30 MB is credited, and halts nobody', async () => {
  await using harness = await openDepositHarness()
  const { api, number } = await mineLargeBlock(harness)
  const { chain, sender } = harness
  chain.transfer({ from: sender, to: await topUpAddressOf(api), value: 7_000_000n })
  harness.solidify()
  await harness.startWorker()
  await harness.untilDeposits(api, 'credited', 'credited')
  await expectCreditedOnce(expect, harness, api)
  const together = chain
    .requests('gettransactioninfobyblocknum')
    .filter(({ body }) => (body as { num: number }).num === number)
  expect(together).toHaveLength(1)
})

test('a block that cannot be read is named in an alert, and read once the limit allows it', async () => {
  await using harness = await openDepositHarness()
  const { api, number } = await mineLargeBlock(harness)
  harness.solidify()
  const worker = await harness.startWorker({ TRON_ANSWER_MIB: '1' })
  const [line] = await worker.untilOutput(/.*"tron solid block [0-9]+".*/)
  expect(JSON.parse(line)).toMatchObject({
    alert: 'BLOCK_UNREADABLE',
    subject: `tron solid block ${number}`,
    detail: expect.stringContaining('gettransactioninfobyid: more than 1048576 bytes'),
  })
  await worker.kill()
  await harness.startWorker()
  await harness.untilDeposits(api, 'credited')
})
