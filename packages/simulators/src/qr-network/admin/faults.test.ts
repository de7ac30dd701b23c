import { expect, test } from 'vitest'
import { startFixture } from '../qr-network.fixture.ts'

test('drop_before_paying drops so many PUTs and pays none of them', async () => {
  const { ask, network, qr, order, pay } = await startFixture()
  const body = await order(qr())
  await network.setFaults({ drop_before_paying: 2 })
  expect((await pay('po_1', body)).status).toBe(0)
  expect((await pay('po_1', body)).status).toBe(0)
  expect((await ask('GET', '/v1/payments/po_1')).status).toBe(404)
  expect((await pay('po_1', body)).status).toBe(200)
  expect(network.requests('po_1')[0]?.requests.map(({ answer }) => answer)).toEqual([
    'dropped',
    'dropped',
    404,
    200,
  ])
})

test.each([
  ['drop_answer_after_paying', 0],
  ['error_after_paying', 500],
  ['garble_after_paying', 200],
] as const)('%s spoils so many answers of new payments, which are paid', async (fault, status) => {
  const { ask, network, qr, order, pay } = await startFixture()
  const body = await order(qr())
  await network.setFaults({ [fault]: 1 })
  const spoiled = await pay('po_1', body)
  expect([spoiled.status, spoiled.body['outcome']]).toEqual([status, undefined])
  expect((await ask('GET', '/v1/payments/po_1')).body['outcome']).toBe('paid')
  expect((await pay('po_2', body)).body['outcome']).toBe('paid')
  expect(network.ledger().spent).toBe('200.00')
})

test('wrong_amount pays so many new payments 1.00 too much', async () => {
  const { network, qr, order, pay } = await startFixture()
  const body = await order(qr())
  await network.setFaults({ wrong_amount: 1 })
  expect((await pay('po_1', body)).body['amount']).toBe('101.00')
  expect((await pay('po_1', body)).body['amount']).toBe('101.00')
  expect((await pay('po_2', body)).body['amount']).toBe('100.00')
})

test('fail_next answers 503 and does nothing, for the operations named', async () => {
  const { ask, network, qr, order, pay } = await startFixture()
  const body = await order(qr())
  await network.setFaults({ fail_next: { put: 1, get: 1, close: 1, statement: 1, liquidity: 1 } })
  expect((await pay('po_1', body)).status).toBe(503)
  expect((await ask('GET', '/v1/payments/po_1')).status).toBe(503)
  expect((await ask('POST', '/v1/payments/po_1/close')).status).toBe(503)
  expect((await ask('GET', '/v1/statement')).status).toBe(503)
  expect((await ask('GET', '/v1/liquidity')).status).toBe(503)
  expect((await ask('GET', '/v1/payments/po_1')).status).toBe(404)
})

test('drop_answer_next does the work and loses the answer', async () => {
  const { ask, network } = await startFixture()
  await network.setFaults({ drop_answer_next: { close: 1 } })
  expect((await ask('POST', '/v1/payments/po_1/close')).status).toBe(0)
  expect((await ask('GET', '/v1/payments/po_1')).body['outcome']).toBe('closed_unpaid')
})

test('drop_answer_next also loses the answer to a bad request', async () => {
  const { ask, network } = await startFixture()
  await network.setFaults({ drop_answer_next: { statement: 1, get: 1 } })
  expect((await ask('GET', '/v1/statement?from=yesterday')).status).toBe(0)
  expect((await ask('GET', '/v1/payments/po_1')).status).toBe(0)
  expect((await ask('GET', '/v1/statement?from=yesterday')).status).toBe(400)
})

test('delay_ms lets the operations named wait by the clock, and the others pass', async () => {
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

test('one delay_ms for all delays every operation', async () => {
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

test('down 503 answers every request so, until it is cleared', async () => {
  const { ask, network } = await startFixture()
  await network.setFaults({ down: '503' })
  expect((await ask('GET', '/v1/liquidity')).status).toBe(503)
  await network.clearFaults()
  expect((await ask('GET', '/v1/liquidity')).status).toBe(200)
})

test.each(['refuse', true] as const)(
  'down %s takes no connection, and the admin port still does',
  async (down) => {
    const { admin, ask, network } = await startFixture()
    await network.setFaults({ down })
    expect((await ask('GET', '/v1/liquidity')).status).toBe(0)
    await expect(fetch(network.url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
    expect((await admin('POST', '/sim/faults', { down: false })).status).toBe(200)
    expect((await ask('GET', '/v1/liquidity')).status).toBe(200)
  },
)

test('held before paying, nothing is paid until released', async () => {
  const { network, qr, order, pay } = await startFixture()
  const body = await order(qr())
  await network.setFaults({ hold: 'before_paying' })
  const payment = pay('po_1', body)
  await network.untilHeld()
  expect(network.held()).toEqual(['po_1'])
  expect(network.ledger().payments).toEqual([])
  expect(network.release()).toBe(1)
  expect((await payment).status).toBe(200)
  expect((await pay('po_2', body)).status).toBe(200) // Releasing all also ends the hold.
})

test('held after paying, the money has moved and only the answer waits', async () => {
  const { ask, network, qr, order, pay } = await startFixture()
  const body = await order(qr())
  await network.setFaults({ hold: 'after_paying' })
  const payment = pay('po_1', body)
  await network.untilHeld()
  expect((await ask('GET', '/v1/payments/po_1')).body['outcome']).toBe('paid')
  await network.setFaults({ hold: null })
  expect((await payment).status).toBe(200)
})

test('a held payment is made even when its asker has gone', async () => {
  const { network, qr, order } = await startFixture()
  const body = await order(qr())
  await network.setFaults({ hold: 'before_paying' })
  const asker = new AbortController()
  const payment = fetch(`${network.url}/v1/payments/po_1`, {
    method: 'PUT',
    headers: { authorization: 'Bearer member-token' },
    body: JSON.stringify(body),
    signal: asker.signal,
  })
  await network.untilHeld()
  asker.abort()
  await expect(payment).rejects.toThrow()
  network.release()
  await expect.poll(() => network.ledger().payments[0]?.times_paid).toBe(1)
})

test('a reference closed while its payment is held is never paid', async () => {
  const { ask, network, qr, order, pay } = await startFixture()
  const body = await order(qr())
  await network.setFaults({ hold: 'before_paying' })
  const payment = pay('po_1', body)
  await network.untilHeld()
  expect((await ask('POST', '/v1/payments/po_1/close')).body['outcome']).toBe('closed_unpaid')
  network.release()
  expect((await payment).body['code']).toBe('CLOSED')
  expect(network.ledger().spent).toBe('0.00')
})

test('one reference is released while the others wait on', async () => {
  const { network, qr, order, pay } = await startFixture()
  const body = await order(qr())
  await network.setFaults({ hold: 'before_paying' })
  const [one, two] = [pay('po_1', body), pay('po_2', body)]
  await network.untilHeld(2)
  expect(network.release('po_1')).toBe(1)
  expect((await one).status).toBe(200)
  expect(network.held()).toEqual(['po_2'])
  await network.clearFaults()
  expect((await two).status).toBe(200)
})

test('reading, status and close can be held too', async () => {
  const { ask, network, qr } = await startFixture()
  const asks = {
    before_reading: ['POST', '/v1/qr/read', { content: qr().content, request_id: 'r1' }],
    before_status: ['GET', '/v1/payments/po_1', undefined],
    before_closing: ['POST', '/v1/payments/po_1/close', undefined],
    after_closing: ['POST', '/v1/payments/po_2/close', undefined],
  } as const
  for (const hold of Object.keys(asks) as (keyof typeof asks)[]) {
    await network.setFaults({ hold })
    const [method, path, body] = asks[hold]
    const reply = ask(method, path, body)
    await network.untilHeld()
    expect(network.ledger().closed).toEqual(
      {
        before_reading: [],
        before_status: [],
        before_closing: [],
        after_closing: ['po_1', 'po_2'],
      }[hold],
    )
    network.release()
    expect((await reply).status).toBe(hold === 'before_status' ? 404 : 200)
  }
})

test('a fault leaves the others as they are', async () => {
  const { network } = await startFixture()
  await network.setFaults({ wrong_amount: 3 })
  const faults = await network.setFaults({ drop_before_paying: 1 })
  expect(faults).toMatchObject({ wrong_amount: 3, drop_before_paying: 1 })
})

test('stopping ends a request that is waiting, and does not wait for it', async () => {
  const { network, qr, order, pay } = await startFixture()
  const body = await order(qr())
  await network.setFaults({ hold: 'before_paying' })
  const payment = pay('po_1', body)
  await network.untilHeld()
  await network.stop()
  expect((await payment).status).toBe(0)
  await network.stop() // Stopping twice is no mistake.
})
