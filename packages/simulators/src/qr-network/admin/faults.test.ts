import { expect, test } from 'vitest'
import { startFixture } from '../qr-network.fixture.ts'

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

test('drop_answer_next takes effect and drops the answer', async () => {
  const { ask, network } = await startFixture()
  await network.setFaults({ drop_answer_next: { cancel: 1 } })
  expect((await ask('POST', '/v1/payments/po_1/close')).status).toBe(0)
  expect((await ask('GET', '/v1/payments/po_1')).body['outcome']).toBe('closed_unpaid')
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

test.each(['refuse', true] as const)('down %s refuses connections, except on the admin port', async (down) => {
  const { admin, ask, network } = await startFixture()
  await network.setFaults({ down })
  expect((await ask('GET', '/v1/liquidity')).status).toBe(0)
  await expect(fetch(network.url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  expect((await admin('POST', '/sim/faults', { down: false })).status).toBe(200)
  expect((await ask('GET', '/v1/liquidity')).status).toBe(200)
})

test('reading, status and statement can hang too', async () => {
  const { ask, network, qr } = await startFixture()
  const asks = {
    before_reading: ['POST', '/v1/qr/read', { content: qr().content, request_id: 'r1' }],
    before_status: ['GET', '/v1/payments/po_1', undefined],
    before_statement: ['GET', '/v1/statement', undefined],
  } as const
  for (const point of Object.keys(asks) as (keyof typeof asks)[]) {
    await network.setFaults({ hang_at: point })
    const [method, path, body] = asks[point]
    const reply = ask(method, path, body)
    await network.untilHanging()
    network.release()
    expect((await reply).status).toBe(point === 'before_status' ? 404 : 200)
  }
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
