import { expect, test } from 'vitest'
import { qrPath, startOpenHubFixture } from '../openhub.fixture.ts'

test('switches are set in one call, kept by the next, and restored', async () => {
  const { admin } = await startOpenHubFixture({ switches: { later_ms: 7 } })
  await admin('POST', '/sim/switches', { status_by: 'scan', ids: 'number', fail_next: { scan: 1 } })
  const kept = { status_by: 'scan', ids: 'number', reading_single_use: true, fail_next: { scan: 1 }, later_ms: 9 }
  expect((await admin('POST', '/sim/switches', { later_ms: 9 })).body).toMatchObject(kept)
  await admin('DELETE', '/sim/switches')
  const restored = { status_by: 'confirm', ids: 'string', fail_next: {}, later_ms: 7 }
  expect((await admin('POST', '/sim/switches', {})).body).toMatchObject(restored)
})

test.each([
  [{ nonsense: true }, 'nonsense'],
  [{ status_by: 'nobody' }, 'status_by'],
  [{ reply_next: [{ operation: 'confirm', reply: '9' }] }, 'reply'],
  [{ reply_next: [{ operation: 'confirm', reply: '94', course: 'x' }] }, 'course'],
])('the switches %j are refused, with the name of the member', async (body, name) => {
  const { admin } = await startOpenHubFixture()
  const refused = await admin('POST', '/sim/switches', body)
  expect(refused).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST', message: expect.stringContaining(name) } })
})

test('a QR is issued with a plan', async () => {
  const { admin, ask, confirm } = await startOpenHubFixture()
  const qr = { amount_mode: 'closed', amount: '5.00', description: 'Té', confirm: '94', course: 'unconfirmed_paid' }
  const { body } = await admin('POST', '/v1/sandbox/qr-codes', qr)
  const scanned = (await ask('POST', `${qrPath}/scan`, { imagen: body['content'] })).body['data'] as {
    numeroReferencia: string
  }
  expect((await confirm('po_1', scanned.numeroReferencia)).body).toMatchObject({ code: '94' })
  const settled = await admin('POST', '/sim/settle', { transaccion_id: 'po_1' })
  expect(settled).toMatchObject({ status: 200, body: { state: 'APROBADA', amount: '5.00' } })
  expect((await admin('POST', '/sim/settle', { transaccion_id: 'po_1', state: 'RECHAZADA' })).status).toBe(409)
  expect((await admin('POST', '/sim/settle', { transaccion_id: 'po_2' })).status).toBe(404)
  expect((await admin('POST', '/v1/sandbox/qr-codes', { amount_mode: 'open', course: 'x' })).status).toBe(400)
})

test('movements and balances of another account, or beyond the balance, are refused', async () => {
  const { hub } = await startOpenHubFixture({ liquidity: '100.00' })
  const other = { account: '7010999003' }
  expect(() => hub.addMovements([{ amount: '1.00', ...other }])).toThrow('account must be one of')
  expect(() => hub.addMovements([{ amount: '60.00', times: 2 }])).toThrow('not enough balance')
  expect(() => hub.setBalance('1.00', other.account)).toThrow('account must be one of')
  expect(hub.ledger().accounts).toMatchObject([{ available: '100.00', debits: '0.00' }, { available: '100.00' }])
})

test('outages: failed, dropped and refused requests', async () => {
  const { hub, scan, status, pay } = await startOpenHubFixture()
  await hub.setSwitches({ fail_next: { status: 1 } })
  expect(await status('1')).toEqual({ status: 502, body: { unparsable: 'Failed to forward the request' } })
  expect((await status('1')).status).toBe(200)
  await hub.setSwitches({ drop_answer_next: { confirm: 1 } })
  expect((await pay('po_1')).status).toBe(0)
  expect(hub.ledger().orders).toMatchObject([{ state: 'APROBADA' }])
  await hub.setSwitches({ down: 'refuse' })
  expect((await status('1')).status).toBe(0)
  await hub.setSwitches({ down: '503' })
  expect((await scan()).data).toEqual({})
  await hub.resetSwitches()
  expect((await scan()).data).toHaveProperty('numeroReferencia')
})

test('requests are counted, and hang at a point until they are released', async () => {
  const { hub, pay, status } = await startOpenHubFixture()
  await hub.setSwitches({ hang_at: 'after_paying' })
  const paying = pay('po_1')
  await hub.untilHanging()
  expect(hub.hanging()).toEqual(['po_1'])
  expect(hub.ledger('po_1').orders).toMatchObject([{ state: 'APROBADA' }])
  expect(hub.requests('po_1')).toMatchObject([{ confirm: 1, requests: [{ operation: 'confirm', answer: null }] }])
  expect(hub.release()).toBe(1)
  const { scanned } = await paying
  await status(scanned)
  expect(hub.requests(scanned)).toMatchObject([{ confirm: 0, status: 1 }])
})
