import { expect, test } from 'vitest'
import { startFixture } from '../qr-network.fixture.ts'

test.each([
  ['late', 'paid'],
  ['late_refused', 'refused_payment'],
  ['late_refused_qr', 'refused_qr'],
  ['late_no_liquidity', 'no_liquidity'],
  ['late_limit', 'limit'],
] as const)('scenario %s is 202 and after 3 s %s', async (scenario, outcome) => {
  const { ask, network, payScenario, step } = await startFixture()

  const reply = await payScenario('po_1', scenario)

  expect(reply).toMatchObject({ status: 202, body: { outcome: 'pending', final: false } })
  step(2_999)
  expect((await ask('GET', '/v1/payments/po_1')).body['outcome']).toBe('pending')
  expect(network.ledger().spent).toBe('0.00')
  step(1)
  const ended = await ask('GET', '/v1/payments/po_1')
  expect(ended).toMatchObject({ status: 200, body: { outcome, final: true } })
  expect(network.ledger().spent).toBe(outcome === 'paid' ? '100.00' : '0.00')
})

test('a late payment is settled by a real timer', async () => {
  const { network, payScenario } = await startFixture({ now: undefined, lateMs: 20 })
  await payScenario('po_1', 'late')
  await expect.poll(() => network.ledger('po_1').payments[0]?.outcome).toBe('paid')
})

test('a late payment without balance at its time ends as no_liquidity', async () => {
  const { network, payScenario, step } = await startFixture()
  await payScenario('po_1', 'late')
  network.setBalance('99.99')
  step(3_000)
  await network.tick()
  expect(network.ledger().payments).toMatchObject([{ outcome: 'no_liquidity', times_paid: 0 }])
})
