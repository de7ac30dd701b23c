import { expect, test } from 'vitest'
import { startFixture } from '../qr-network.fixture.ts'

test('drop_before_paying drops that many PUTs without a payment', async () => {
  const { ask, network, qr, order, pay } = await startFixture()
  const body = await order(qr())
  await network.setFaults({ drop_before_paying: 2 })
  expect((await pay('po_1', body)).status).toBe(0)
  expect((await pay('po_1', body)).status).toBe(0)
  expect((await ask('GET', '/v1/payments/po_1')).status).toBe(404)
  expect((await pay('po_1', body)).status).toBe(200)
  expect(network.requests('po_1')[0]?.requests.map(({ answer }) => answer)).toEqual(['dropped', 'dropped', 404, 200])
})

test.each([
  ['drop_answer_after_paying', 0],
  ['error_after_paying', 500],
  ['garble_after_paying', 200],
] as const)('%s makes that many answers of new payments faulty, which are paid', async (fault, status) => {
  const { ask, network, qr, order, pay } = await startFixture()
  const body = await order(qr())
  await network.setFaults({ [fault]: 1 })
  const spoiled = await pay('po_1', body)
  expect([spoiled.status, spoiled.body['outcome']]).toEqual([status, undefined])
  expect((await ask('GET', '/v1/payments/po_1')).body['outcome']).toBe('paid')
  expect((await pay('po_2', body)).body['outcome']).toBe('paid')
  expect(network.ledger().spent).toBe('200.00')
})

test('wrong_amount pays 1.00 too much for that many payments', async () => {
  const { network, qr, order, pay } = await startFixture()
  const body = await order(qr())
  await network.setFaults({ wrong_amount: 1 })
  expect((await pay('po_1', body)).body['amount']).toBe('101.00')
  expect((await pay('po_1', body)).body['amount']).toBe('101.00')
  expect((await pay('po_2', body)).body['amount']).toBe('100.00')
})

test('fail_next answers 503 without effect for the given operations', async () => {
  const { ask, network, qr, order, pay } = await startFixture()
  const body = await order(qr())
  await network.setFaults({ fail_next: { put: 1, get: 1, cancel: 1, statement: 1, liquidity: 1 } })
  expect((await pay('po_1', body)).status).toBe(503)
  expect((await ask('GET', '/v1/payments/po_1')).status).toBe(503)
  expect((await ask('POST', '/v1/payments/po_1/close')).status).toBe(503)
  expect((await ask('GET', '/v1/statement')).status).toBe(503)
  expect((await ask('GET', '/v1/liquidity')).status).toBe(503)
  expect((await ask('GET', '/v1/payments/po_1')).status).toBe(404)
})

test('drop_answer_next takes effect and drops the answer', async () => {
  const { ask, network } = await startFixture()
  await network.setFaults({ drop_answer_next: { cancel: 1 } })
  expect((await ask('POST', '/v1/payments/po_1/close')).status).toBe(0)
  expect((await ask('GET', '/v1/payments/po_1')).body['outcome']).toBe('closed_unpaid')
})

test('drop_answer_next also drops the answer to an invalid request', async () => {
  const { ask, network } = await startFixture()
  await network.setFaults({ drop_answer_next: { statement: 1, get: 1 } })
  expect((await ask('GET', '/v1/statement?from=yesterday')).status).toBe(0)
  expect((await ask('GET', '/v1/payments/po_1')).status).toBe(0)
  expect((await ask('GET', '/v1/statement?from=yesterday')).status).toBe(400)
})

test('delay_ms delays only the given operations, by the stepped clock', async () => {
  const { ask, network, qr, order, pay, step } = await startFixture()
  const body = await order(qr())
  await network.setFaults({ delay_ms: { put: 10_000 } })
  const payment = pay('po_1', body)
  await expect.poll(() => network.requests('po_1')[0]?.put).toBe(1)
  step(9_999)
  expect((await ask('GET', '/v1/payments/po_1')).status).toBe(404)
  step(1)
  await network.tick()
  expect((await payment).status).toBe(200)
})

test('a number as delay_ms delays every operation', async () => {
  const { ask, network, step } = await startFixture()
  await network.setFaults({ delay_ms: 500 })
  let answered = false
  const reply = ask('GET', '/v1/payments/po_1').finally(() => (answered = true))
  await expect.poll(() => network.requests('po_1')[0]?.get).toBe(1)
  await network.tick()
  expect(answered).toBe(false)
  step(500)
  await network.tick()
  expect((await reply).status).toBe(404)
})

test('down 503 answers every request 503 until it is cleared', async () => {
  const { ask, network } = await startFixture()
  await network.setFaults({ down: '503' })
  expect((await ask('GET', '/v1/liquidity')).status).toBe(503)
  await network.clearFaults()
  expect((await ask('GET', '/v1/liquidity')).status).toBe(200)
})

test.each(['refuse', true] as const)('down %s refuses connections, except on the admin port', async (down) => {
  const { admin, ask, network } = await startFixture()
  await network.setFaults({ down })
  expect((await ask('GET', '/v1/liquidity')).status).toBe(0)
  await expect(fetch(network.url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  expect((await admin('POST', '/sim/faults', { down: false })).status).toBe(200)
  expect((await ask('GET', '/v1/liquidity')).status).toBe(200)
})

test('a request that hangs before paying is paid after its release', async () => {
  const { network, qr, order, pay } = await startFixture()
  const body = await order(qr())
  await network.setFaults({ hang_at: 'before_paying' })
  const payment = pay('po_1', body)
  await network.untilHanging()
  expect(network.hanging()).toEqual(['po_1'])
  expect(network.ledger().payments).toEqual([])
  expect(network.release()).toBe(1)
  expect((await payment).status).toBe(200)
  expect((await pay('po_2', body)).status).toBe(200) // Releasing all also clears hang_at.
})

test('a request that hangs after paying is already paid', async () => {
  const { ask, network, qr, order, pay } = await startFixture()
  const body = await order(qr())
  await network.setFaults({ hang_at: 'after_paying' })
  const payment = pay('po_1', body)
  await network.untilHanging()
  expect((await ask('GET', '/v1/payments/po_1')).body['outcome']).toBe('paid')
  await network.setFaults({ hang_at: null })
  expect((await payment).status).toBe(200)
})

test('a hanging payment is made after its client disconnected', async () => {
  const { network, qr, order } = await startFixture()
  const body = await order(qr())
  await network.setFaults({ hang_at: 'before_paying' })
  const client = new AbortController()
  const payment = fetch(`${network.url}/v1/payments/po_1`, {
    method: 'PUT',
    headers: { authorization: 'Bearer member-token' },
    body: JSON.stringify(body),
    signal: client.signal,
  })
  await network.untilHanging()
  client.abort()
  await expect(payment).rejects.toThrow()
  network.release()
  await expect.poll(() => network.ledger().payments[0]?.times_paid).toBe(1)
})

test('a reference that is cancelled while its payment hangs is not paid', async () => {
  const { ask, network, qr, order, pay } = await startFixture()
  const body = await order(qr())
  await network.setFaults({ hang_at: 'before_paying' })
  const payment = pay('po_1', body)
  await network.untilHanging()
  expect((await ask('POST', '/v1/payments/po_1/close')).body['outcome']).toBe('closed_unpaid')
  network.release()
  expect((await payment).body['code']).toBe('CLOSED')
  expect(network.ledger().spent).toBe('0.00')
})

test('one reference is released while the others hang', async () => {
  const { network, qr, order, pay } = await startFixture()
  const body = await order(qr())
  await network.setFaults({ hang_at: 'before_paying' })
  const [one, two] = [pay('po_1', body), pay('po_2', body)]
  await network.untilHanging(2)
  expect(network.release('po_1')).toBe(1)
  expect((await one).status).toBe(200)
  expect(network.hanging()).toEqual(['po_2'])
  await network.clearFaults()
  expect((await two).status).toBe(200)
})

test('reading, status, statement and cancellation can hang too', async () => {
  const { ask, network, qr } = await startFixture()
  const asks = {
    before_reading: ['POST', '/v1/qr/read', { content: qr().content, request_id: 'r1' }],
    before_status: ['GET', '/v1/payments/po_1', undefined],
    before_statement: ['GET', '/v1/statement', undefined],
    before_cancelling: ['POST', '/v1/payments/po_1/close', undefined],
    after_cancelling: ['POST', '/v1/payments/po_2/close', undefined],
  } as const
  for (const point of Object.keys(asks) as (keyof typeof asks)[]) {
    await network.setFaults({ hang_at: point })
    const [method, path, body] = asks[point]
    const reply = ask(method, path, body)
    await network.untilHanging()
    expect(network.ledger().cancelled).toEqual(
      {
        before_reading: [],
        before_status: [],
        before_statement: [],
        before_cancelling: [],
        after_cancelling: ['po_1', 'po_2'],
      }[point],
    )
    network.release()
    expect((await reply).status).toBe(point === 'before_status' ? 404 : 200)
  }
})

test('setting a fault keeps the others', async () => {
  const { network } = await startFixture()
  await network.setFaults({ wrong_amount: 3 })
  const faults = await network.setFaults({ drop_before_paying: 1 })
  expect(faults).toMatchObject({ wrong_amount: 3, drop_before_paying: 1 })
})

test('stop closes the connection of a hanging request', async () => {
  const { network, qr, order, pay } = await startFixture()
  const body = await order(qr())
  await network.setFaults({ hang_at: 'before_paying' })
  const payment = pay('po_1', body)
  await network.untilHanging()
  await network.stop()
  expect((await payment).status).toBe(0)
  await network.stop() // Stopping twice is no mistake.
})
