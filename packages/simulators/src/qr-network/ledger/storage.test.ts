import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../folder.fixture.ts'
import { startFixture } from '../qr-network.fixture.ts'

test('payments, cancellations, balance and QR contents survive a restart', async () => {
  const storage = await temporaryFolder()
  const before = await startFixture({ storage })
  const order = await before.order(before.qr())
  const paid = await before.pay('po_1', order)
  await before.payScenario('po_2', 'refused')
  const cancelled = await before.ask('POST', '/v1/payments/po_3/close')
  await before.admin('POST', '/sim/balance', { available: '500.00' })
  const ledger = before.network.ledger()
  await before.network.stop()

  const after = await startFixture({ storage, liquidity: '1.00' })

  expect(after.network.ledger()).toEqual(ledger)
  expect(await after.pay('po_1', order)).toEqual(paid)
  expect((await after.pay('po_3', order)).body['code']).toBe('CLOSED')
  expect(await after.ask('GET', '/v1/payments/po_3')).toEqual(cancelled)
  expect((await after.pay('po_4', order)).body['network_payment_id']).toBe('QN0000000002')
  expect(after.network.ledger().available).toBe('400.00')
  expect(after.network.publicKey).toBe(before.network.publicKey)
})

test('a late payment is settled after a restart, immediately if it is overdue', async () => {
  const storage = await temporaryFolder()
  const before = await startFixture({ storage })
  await before.payScenario('po_1', 'late')
  before.step(2_000)
  await before.payScenario('po_2', 'late_refused')
  await before.network.stop()

  const after = await startFixture({ storage })
  after.step(3_000)
  expect((await after.ask('GET', '/v1/payments/po_1')).body['outcome']).toBe('paid')
  expect((await after.ask('GET', '/v1/payments/po_2')).body['outcome']).toBe('pending')
  await after.network.stop()

  const muchLater = await startFixture({ storage, now: () => new Date('2027-01-01T00:00:00Z') })
  const ended = await muchLater.ask('GET', '/v1/payments/po_2')
  expect(ended.body['outcome']).toBe('refused_payment')
  expect(muchLater.network.ledger()).toMatchObject({ spent: '100.00' })
})

test('a payment that hangs before paying is not made by a restart', async () => {
  const storage = await temporaryFolder()
  const before = await startFixture({ storage })
  const order = await before.order(before.qr())
  await before.network.setFaults({ hang_at: 'before_paying' })
  const payment = before.pay('po_1', order)
  await before.network.untilHanging()
  await before.network.stop()
  expect((await payment).status).toBe(0)

  const after = await startFixture({ storage })
  expect((await after.ask('GET', '/v1/payments/po_1')).body['code']).toBe('NOT_SEEN')
})

test('an incomplete last line is ignored, and later entries are stored', async () => {
  const storage = await temporaryFolder()
  const before = await startFixture({ storage })
  await before.payScenario('po_1', 'paid')
  await before.network.stop()
  await appendFile(join(storage, 'qr-network.jsonl'), '{"type":"payment","payment":{"refer')

  const between = await startFixture({ storage })
  await between.payScenario('po_2', 'paid')
  await between.network.stop()

  const after = await startFixture({ storage })
  const references = after.network.ledger().payments.map(({ reference }) => reference)
  expect(references).toEqual(['po_1', 'po_2'])
})

test('a payment is in the file before it is answered', async () => {
  const storage = await temporaryFolder()
  const { qr, order, pay } = await startFixture({ storage })
  const body = await order(qr())
  const replies = Array.from({ length: 30 }, async (_, i) => {
    await pay(`po_${i}`, body)
    expect(await readFile(join(storage, 'qr-network.jsonl'), 'utf8')).toContain(`"po_${i}"`)
  })
  await Promise.all(replies)
  expect.assertions(30)
})

test('a start with a damaged journal fails', async () => {
  const storage = await temporaryFolder()
  const before = await startFixture({ storage })
  await before.payScenario('po_1', 'paid')
  await before.network.stop()
  await appendFile(join(storage, 'qr-network.jsonl'), '{"type":"nonsense"}\n')
  await expect(startFixture({ storage })).rejects.toThrow()
})
