import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../folder.fixture.ts'
import { startOpenHubFixture } from '../openhub.fixture.ts'

test('answered payments, readings, balances and movements survive a kill', async () => {
  const storage = await temporaryFolder()
  const before = await startOpenHubFixture({ storage, liquidity: '500.00' })
  await before.pay('po_1')
  await before.pay('po_2', { confirm: '96', course: 'unpaid' })
  await before.pay('po_3', { course: 'paid_returned' })
  const { data } = await before.scan()
  before.hub.addMovements([{ amount: '7.00', transaction_id: 'other' }])
  const ledger = before.hub.ledger()
  await appendFile(join(storage, 'openhub.jsonl'), '{"type":"order","order":{"id')

  // The first network is not stopped: the second one has only its file.
  const after = await startOpenHubFixture({ storage, liquidity: '1.00' })
  expect(after.hub.ledger()).toEqual(ledger)
  expect((await after.confirm('po_4', data['numeroReferencia'])).body).toMatchObject({
    code: '00',
    data: { numeroReferencia: '547261120000000008' },
  })
  expect(after.hub.ledger().accounts[0]?.available).toBe('193.00')
})

test('a balance below what came in survives a restart', async () => {
  const storage = await temporaryFolder()
  const before = await startOpenHubFixture({ storage })
  before.hub.addMovements([{ type: 'C', amount: '100.00' }])
  before.hub.setBalance('30.00')
  await before.hub.stop()
  const { hub } = await startOpenHubFixture({ storage })
  expect(hub.ledger().accounts[0]).toMatchObject({ available: '30.00', lost: '-100.00', credits: '100.00' })
})

test('an order is in the file before it is answered', async () => {
  const storage = await temporaryFolder()
  const { pay } = await startOpenHubFixture({ storage })
  const paid = Array.from({ length: 20 }, async (_, i) => {
    await pay(`po_${i}`)
    expect(await readFile(join(storage, 'openhub.jsonl'), 'utf8')).toContain(`"po_${i}"`)
  })
  await Promise.all(paid)
  expect.assertions(20)
})

test('an order is decided after a restart, immediately if it is overdue', async () => {
  const storage = await temporaryFolder()
  const before = await startOpenHubFixture({ storage, switches: { status_by: 'scan' } })
  const { scanned } = await before.pay('po_1', { course: 'unconfirmed_paid' })
  await before.hub.stop()

  const after = await startOpenHubFixture({ storage, switches: { status_by: 'scan' } })
  expect((await after.status(scanned)).body).toMatchObject({ data: { estado: 'PENDIENTE_PAGO' } })
  after.step(3_000)
  expect((await after.status(scanned)).body).toMatchObject({ data: { estado: 'APROBADA', transaccionId: 'po_1' } })
})
