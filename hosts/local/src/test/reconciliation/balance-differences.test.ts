import { expect, test } from 'vitest'
import { openDepositHarness, topUpAddressOf } from '../harness/deposit-harness.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import { alertAbout, operatorAt, type RunJson } from './reconciliation.fixture.ts'

const value = 25_000_000n

test('a balance that is short, or has a surplus, is a difference and an alert until it is right', async () => {
  await using harness = await openDepositHarness()
  const { chain, sender } = harness
  const api = await harness.startApi()
  const operator = operatorAt(api.operatorUrl)
  const worker = await harness.startWorker({ TRON_CHECK_REQUESTS_PER_SECOND: '1000' })
  const address = await topUpAddressOf(api)
  chain.transfer({ from: sender, to: address, value })
  harness.solidify()
  await harness.untilDeposits(api, 'credited')
  chain.mine(60) // A replica of the node may lag by a minute, so newer transfers are not compared.
  const run = async (): Promise<void> => {
    const { json } = await operator.post('/reconciliation-runs', { check: 'chain' })
    const { id } = json as RunJson
    await until('the run is completed', async () => {
      chain.mine(2)
      return (await operator.run(id)).status === 'completed'
    })
  }
  await run()
  expect(await operator.differences('chain')).toEqual([])

  chain.setTokenBalance(address, value - 1n)
  await run()
  expect(await alertAbout(worker, address, /24\.999999 USDT .* instead of 25\.000000/)).toMatchObject({
    alert: 'CHAIN_DIFFERENCE',
  })
  chain.setTokenBalance(address, value + 1n)
  await run()
  await alertAbout(worker, address, /25\.000001 USDT .* that no scan has seen/)
  expect(await operator.differences('chain')).toMatchObject([{ kind: 'surplus' }])

  chain.setTokenBalance(address, value)
  await run()
  expect(await operator.differences('chain')).toEqual([])
})
