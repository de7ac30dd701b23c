import { expect, test } from 'vitest'
import { startFixture } from '../qr-network.fixture.ts'

test.each([
  ['paid', 'paid', '00'],
  ['refused', 'refused_payment', '05'],
  ['refused_qr', 'refused_qr', '09'],
  ['no_liquidity', 'no_liquidity', '13'],
  ['limit', 'limit', '61'],
] as const)('scenario %s ends at once as %s', async (scenario, outcome, network_code) => {
  const { ask, network, payScenario } = await startFixture()

  const reply = await payScenario('po_1', scenario)

  expect(reply).toMatchObject({ status: 200, body: { outcome, final: true, network_code } })
  expect(await ask('GET', '/v1/payments/po_1')).toEqual(reply)
  expect(reply.body['paid_at'] === null).toBe(outcome !== 'paid')
  expect(network.ledger().spent).toBe(outcome === 'paid' ? '100.00' : '0.00')
})

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

test('late_unsettled stays late until /sim/settle', async () => {
  const { ask, network, payScenario, step } = await startFixture()
  await payScenario('po_1', 'late_unsettled')
  step(86_400_000)
  expect((await ask('GET', '/v1/payments/po_1')).body['outcome']).toBe('pending')
  expect(network.settle('po_1', 'refused_payment')).toMatchObject({ outcome: 'refused_payment' })
  expect((await ask('GET', '/v1/payments/po_1')).body['outcome']).toBe('refused_payment')
})

test.each([
  ['pay_then_drop', 0],
  ['pay_then_error', 500],
  ['pay_then_garble', 200],
] as const)('scenario %s pays once and spoils the first answer only', async (scenario, status) => {
  const { ask, network, qr, order, pay } = await startFixture()
  const body = await order(qr({ scenario }))

  const first = await pay('po_1', body)

  expect(first.status).toBe(status)
  expect(first.body['outcome']).toBeUndefined()
  expect((await ask('GET', '/v1/payments/po_1')).body['outcome']).toBe('paid')
  expect((await pay('po_1', body)).body['outcome']).toBe('paid')
  expect(network.ledger().payments).toMatchObject([{ times_paid: 1 }])
})

test('scenario drop_then_nothing drops the connection without effect', async () => {
  const { ask, network, payScenario } = await startFixture()
  expect((await payScenario('po_1', 'drop_then_nothing')).status).toBe(0)
  expect((await ask('GET', '/v1/payments/po_1')).body['code']).toBe('NOT_SEEN')
  const cancelled = await ask('POST', '/v1/payments/po_1/close')
  expect(cancelled.body['outcome']).toBe('closed_unpaid')
  expect(network.ledger().spent).toBe('0.00')
})

test('scenario wrong_amount pays and reports 1.00 more', async () => {
  const { network, payScenario } = await startFixture()
  const { body } = await payScenario('po_1', 'wrong_amount')
  expect(body).toMatchObject({ outcome: 'paid', amount: '101.00' })
  expect(network.ledger()).toMatchObject({
    spent: '101.00',
    payments: [{ requested_amount: '100.00', amount: '101.00' }],
  })
})

test('scenario wrong_currency reports dollars', async () => {
  const { payScenario } = await startFixture()
  const { body } = await payScenario('po_1', 'wrong_currency')
  expect(body).toMatchObject({ outcome: 'paid', amount: '100.00', currency: 'USD' })
})
