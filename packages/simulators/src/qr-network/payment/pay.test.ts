import { expect, test } from 'vitest'
import { startFixture } from '../qr-network.fixture.ts'

test('a payment is answered 200, final, with the paid amount', async () => {
  const { network, qr, order, pay } = await startFixture()
  const body = await order(qr())

  const reply = await pay('po_1', body)

  expect(reply).toEqual({
    status: 200,
    body: {
      reference: 'po_1',
      network_ref: body.network_ref,
      outcome: 'paid',
      final: true,
      amount: '100.00',
      currency: 'BOB',
      network_payment_id: 'QN0000000001',
      network_code: '00',
      message: 'Paid.',
      paid_at: '2026-11-21T12:00:00.000Z',
      updated_at: '2026-11-21T12:00:00.000Z',
    },
  })
  expect(network.ledger()).toMatchObject({
    available: '999999900.00',
    spent: '100.00',
    merchants: [{ credited: '100.00' }],
    payments: [{ reference: 'po_1', times_paid: 1, requested_amount: '100.00' }],
  })
})

test('fifty equal concurrent PUTs pay once and get equal answers', async () => {
  const { network, qr, order, pay } = await startFixture()
  const body = await order(qr())

  const replies = await Promise.all(Array.from({ length: 50 }, () => pay('po_1', body)))

  expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1)
  expect(replies[0]?.status).toBe(200)
  expect(network.ledger().payments).toMatchObject([{ times_paid: 1 }])
  expect(network.ledger().spent).toBe('100.00')
  expect(network.requests('po_1')).toMatchObject([{ put: 50 }])
})

test('one reading of a QR can be paid under many references', async () => {
  const { network, qr, order, pay } = await startFixture()
  const body = await order(qr())
  for (const reference of ['po_1', 'po_2', 'po_3']) expect((await pay(reference, body)).status).toBe(200)
  expect(network.ledger().spent).toBe('300.00')
})

test('an order with another format of the amount is the same order', async () => {
  const { qr, order, pay } = await startFixture()
  const body = await order(qr())
  await pay('po_1', body)
  expect((await pay('po_1', { ...body, amount: '100' })).status).toBe(200)
})

test('another order under a used reference is answered 409 REFERENCE_REUSED without a payment', async () => {
  const { network, qr, order, pay } = await startFixture()
  const open = qr({ amount_mode: 'open' })
  const body = await order(open)
  await pay('po_1', body)
  const others = [{ ...body, amount: '100.01' }, { ...body, description: 'otra' }, await order(open), await order(qr())]
  for (const other of others) {
    const reply = await pay('po_1', other)
    expect([reply.status, reply.body['code']]).toEqual([409, 'REFERENCE_REUSED'])
  }
  expect(network.ledger().spent).toBe('100.00')
})

test('an open QR is paid with the amount of the order', async () => {
  const { qr, order, pay } = await startFixture()
  const body = await order(qr({ amount_mode: 'open' }))
  const reply = await pay('po_1', { ...body, amount: '12.34' })
  expect(reply.body).toMatchObject({ outcome: 'paid', amount: '12.34' })
})

test("the order's description is used only if the QR has none", async () => {
  const { network, qr, order, pay } = await startFixture()
  const own = qr({ description: 'Del QR' })
  const none = qr({ description: undefined })
  await pay('po_1', { ...(await order(own)), description: 'De la orden' })
  await pay('po_2', { ...(await order(none)), description: 'De la orden' })
  expect(network.ledger().payments.map(({ description }) => description)).toEqual(['Del QR', 'De la orden'])
})

test('an invalid order is answered 400 and not stored', async () => {
  const { ask, qr, order, pay } = await startFixture()
  const closed = await order(qr())
  const open = await order(qr({ amount_mode: 'open' }))
  const silent = await order(qr({ description: undefined }))
  const bad: Record<string, unknown> = {
    'an amount other than that of the QR': { ...closed, amount: '100.01' },
    'a zero amount': { ...open, amount: '0.00' },
    'a negative amount': { ...open, amount: '-1.00' },
    'an amount with three fraction digits': { ...open, amount: '1.000' },
    'an amount as a number': { ...open, amount: 1 },
    'another currency': { ...closed, currency: 'USD' },
    'a reference never issued': { ...closed, network_ref: '12345678901234567890' },
    'a reference issued for another content': { ...closed, network_ref: open.network_ref },
    'no description at all': silent,
    'a description over 200 characters': { ...silent, description: 'x'.repeat(201) },
    'no content': { ...closed, content: undefined },
    'an unknown member': { ...closed, account: '1' },
    'no body': undefined,
  }
  for (const [name, body] of Object.entries(bad)) {
    const reply = await ask('PUT', '/v1/payments/po_1', body)
    const { code } = (await ask('GET', '/v1/payments/po_1')).body
    expect([name, reply.status, code]).toEqual([name, 400, 'NOT_SEEN'])
  }
  expect((await pay('po_1', closed)).status).toBe(200)
})

test('an invalid reference is answered 400', async () => {
  const { ask, pay, qr, order } = await startFixture()
  const body = await order(qr())
  for (const reference of ['x'.repeat(33), 'po.1', 'po%201']) {
    expect((await pay(reference, body)).status).toBe(400)
    expect((await ask('GET', `/v1/payments/${reference}`)).status).toBe(400)
    expect((await ask('POST', `/v1/payments/${reference}/close`)).status).toBe(400)
  }
})

test('a QR that expired after its reading is refused on payment', async () => {
  const { qr, order, pay, step } = await startFixture()
  const body = await order(qr())
  step(24 * 3_600_000)
  expect((await pay('po_1', body)).body).toMatchObject({ outcome: 'refused_qr', final: true })
})

test('the status of an unknown reference is 404 NOT_SEEN, of a known one its payment', async () => {
  const { ask, payScenario } = await startFixture()
  const unseen = await ask('GET', '/v1/payments/po_1')
  expect([unseen.status, unseen.body['code']]).toEqual([404, 'NOT_SEEN'])
  const paid = await payScenario('po_1', 'paid')
  expect(await ask('GET', '/v1/payments/po_1')).toEqual(paid)
})

test('after the cancellation of an unknown reference no payment can follow', async () => {
  const { ask, network, payScenario } = await startFixture()

  const cancelled = await ask('POST', '/v1/payments/po_1/close')

  expect(cancelled.status).toBe(200)
  expect(cancelled.body).toMatchObject({
    reference: 'po_1',
    outcome: 'closed_unpaid',
    final: true,
    amount: null,
    paid_at: null,
  })
  expect(await ask('GET', '/v1/payments/po_1')).toEqual(cancelled)
  expect(await ask('POST', '/v1/payments/po_1/close')).toEqual(cancelled)
  const late = await payScenario('po_1', 'paid')
  expect([late.status, late.body['code']]).toEqual([409, 'CLOSED'])
  expect(network.ledger()).toMatchObject({ spent: '0.00', payments: [], cancelled: ['po_1'] })
})

test('the cancellation of a paid reference answers its payment', async () => {
  const { ask, payScenario } = await startFixture()
  for (const scenario of ['paid', 'late', 'refused'] as const) {
    const payment = await payScenario(scenario, scenario)
    const cancelled = await ask('POST', `/v1/payments/${scenario}/close`)
    expect(cancelled).toEqual({ status: 200, body: payment.body })
  }
})

test('of a concurrent PUT and cancellation exactly one succeeds', async () => {
  const { ask, network, qr, order, pay } = await startFixture()
  const body = await order(qr())
  const races = Array.from({ length: 40 }, async (_, i) => {
    const asks = [() => pay(`po_${i}`, body), () => ask('POST', `/v1/payments/po_${i}/close`)]
    if (i % 2) asks.reverse()
    const replies = await Promise.all(asks.map((send) => send()))
    return i % 2 ? replies.reverse() : replies
  })
  for (const [put, cancel] of await Promise.all(races)) {
    const paid = put?.status === 200
    expect(put?.status).toBe(paid ? 200 : 409)
    expect(cancel?.body['outcome']).toBe(paid ? 'paid' : 'closed_unpaid')
  }
  const { payments, cancelled } = network.ledger()
  expect(payments.length + cancelled.length).toBe(40)
})

test('a payment above the network’s maximum ends as limit, at the maximum as paid', async () => {
  const { qr, order, pay } = await startFixture({ maxAmount: '500.00' })
  const body = await order(qr({ amount_mode: 'open' }))
  expect((await pay('po_1', { ...body, amount: '500.01' })).body['outcome']).toBe('limit')
  expect((await pay('po_2', { ...body, amount: '500.00' })).body['outcome']).toBe('paid')
})

test('the balance never becomes negative: other payments end as no_liquidity', async () => {
  const { ask, network, qr, order, pay } = await startFixture({ liquidity: '250.00' })
  const body = await order(qr())
  const replies = await Promise.all(Array.from({ length: 10 }, (_, i) => pay(`po_${i}`, body)))
  const outcomes = replies.map((reply) => reply.body['outcome'])
  expect(outcomes.filter((outcome) => outcome === 'paid')).toHaveLength(2)
  expect(outcomes.filter((outcome) => outcome === 'no_liquidity')).toHaveLength(8)
  expect(network.ledger()).toMatchObject({ available: '50.00', spent: '200.00' })
  expect((await ask('GET', '/v1/liquidity')).body).toEqual({
    currency: 'BOB',
    available: '50.00',
    at: '2026-11-21T12:00:00.000Z',
  })
})
