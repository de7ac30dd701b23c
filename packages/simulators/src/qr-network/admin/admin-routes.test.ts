import { expect, test } from 'vitest'
import { startFixture } from '../qr-network.fixture.ts'

test('the ledger has all references, or the one in the query', async () => {
  const { admin, ask, network, payScenario } = await startFixture()
  await payScenario('po_1', 'paid')
  await payScenario('po_2', 'late')
  await ask('POST', '/v1/payments/po_3/close')

  const whole = await admin('GET', '/sim/ledger')

  expect(whole.body).toEqual(network.ledger())
  expect(whole.body).toMatchObject({
    currency: 'BOB',
    available: '999999900.00',
    spent: '100.00',
    merchants: [{ name: 'Comercio de Prueba', bank_code: '1016', credited: '100.00' }],
    payments: [
      { reference: 'po_1', outcome: 'paid', times_paid: 1, description: 'Almuerzo' },
      { reference: 'po_2', outcome: 'pending', times_paid: 0 },
    ],
    cancelled: ['po_3'],
  })
  const one = await admin('GET', '/sim/ledger?reference=po_2')
  expect(one.body).toMatchObject({ payments: [{ reference: 'po_2' }], cancelled: [] })
})

test('settle gives a late payment the requested outcome', async () => {
  const { admin, ask, payScenario } = await startFixture()
  await payScenario('po_1', 'late_unsettled')
  await payScenario('po_2', 'late')
  const settled = await admin('POST', '/sim/settle', { reference: 'po_1' })
  expect(settled).toMatchObject({ status: 200, body: { outcome: 'paid', final: true } })
  await admin('POST', '/sim/settle', { reference: 'po_2', outcome: 'refused_payment' })
  expect((await ask('GET', '/v1/payments/po_2')).body['outcome']).toBe('refused_payment')
})

test('a final payment is settled only with force, and money moves accordingly', async () => {
  const { admin, ask, network, payScenario } = await startFixture()
  await payScenario('po_1', 'paid')
  await payScenario('po_2', 'refused')
  await ask('POST', '/v1/payments/po_3/close')
  const settle = (reference: string, more: object = {}) => admin('POST', '/sim/settle', { reference, ...more })

  expect((await settle('po_1', { outcome: 'refused_payment' })).body['code']).toBe('NOT_LATE')
  expect((await settle('po_3', { force: true })).body['code']).toBe('NOT_LATE')
  expect((await settle('po_4')).body['code']).toBe('NOT_SEEN')

  await settle('po_1', { outcome: 'refused_payment', force: true })
  expect(network.ledger()).toMatchObject({ spent: '0.00', available: '1000000000.00' })
  await settle('po_2', { outcome: 'paid', force: true })
  expect(network.ledger()).toMatchObject({ spent: '100.00', available: '999999900.00' })
})

test('balance sets the available amount, whatever was spent', async () => {
  const { admin, network, payScenario } = await startFixture()
  await payScenario('po_1', 'paid')
  expect((await admin('POST', '/sim/balance', { available: '99.99' })).status).toBe(200)
  expect((await payScenario('po_2', 'paid')).body['outcome']).toBe('no_liquidity')
  expect(network.ledger()).toMatchObject({ available: '99.99', spent: '100.00' })
})

test('faults are set and cleared over HTTP', async () => {
  const { admin, network, qr, order, pay } = await startFixture()
  const body = await order(qr())
  const faults = await admin('POST', '/sim/faults', { hang_at: 'before_paying', wrong_amount: 1 })
  expect(faults.body).toMatchObject({ hang_at: 'before_paying', wrong_amount: 1, down: false })
  const hanging = [pay('po_1', body), pay('po_2', body)]
  await network.untilHanging(2)

  expect((await admin('DELETE', '/sim/faults')).status).toBe(200)
  expect((await Promise.all(hanging)).map(({ status }) => status)).toEqual([200, 200])
  expect((await admin('POST', '/sim/faults', {})).body).toMatchObject({ hang_at: null })
})

test('reset removes payments, requests and faults, and answers hanging requests', async () => {
  const { ask, network, qr, order, pay } = await startFixture()
  const body = await order(qr())
  await pay('po_1', body)
  await network.setFaults({ hang_at: 'before_paying' })
  const waiting = pay('po_2', body)
  await network.untilHanging()

  await network.reset()

  expect((await waiting).status).toBe(503)
  expect(network.ledger()).toMatchObject({ available: '1000000000.00', payments: [], cancelled: [] })
  expect(network.requests()).toEqual([])
  expect((await ask('GET', '/v1/payments/po_1')).body['code']).toBe('NOT_SEEN')
  expect((await pay('po_1', body)).status).toBe(200)
})

test.each([
  ['/sim/faults', { unknown: 1 }],
  ['/sim/faults', { drop_before_paying: -1 }],
  ['/sim/faults', { hang_at: 'nowhere' }],
  ['/sim/faults', { delay_ms: { dance: 1 } }],
  ['/sim/settle', { reference: 'po_1', outcome: 'pending' }],
  ['/sim/balance', { available: '-1.00' }],
])('%s with %j is a 400', async (path, body) => {
  const { admin } = await startFixture()
  expect((await admin('POST', path, body)).status).toBe(400)
})
