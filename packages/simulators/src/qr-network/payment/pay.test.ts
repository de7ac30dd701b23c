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

test('a payment above the network’s maximum ends as limit, at the maximum as paid', async () => {
  const { qr, order, pay } = await startFixture()
  const body = await order(qr({ amount_mode: 'open' }))
  expect((await pay('po_1', { ...body, amount: '50000.01' })).body['outcome']).toBe('limit')
  expect((await pay('po_2', { ...body, amount: '50000.00' })).body['outcome']).toBe('paid')
})
