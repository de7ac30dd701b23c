import { describe, expect, test } from 'vitest'
import { account, qrPath, startOpenHubFixture } from '../openhub.fixture.ts'
import type { Course, Reply } from '../switches/replies.ts'
import type { Switches } from '../switches/switches.ts'

const references = [
  ['new', 'confirm', 'PENDIENTE_PAGO', 'APROBADA'],
  ['new', 'scan', 'APROBADA', undefined],
  ['new', 'both', 'APROBADA', 'APROBADA'],
  ['same', 'confirm', 'APROBADA', 'APROBADA'],
] as const
test.each(references)('with a %s reference and status by %s, status shows %s and %s', async (...row) => {
  const [reference_at_confirm, status_by, byReading, byOrder] = row
  const { hub, pay, status } = await startOpenHubFixture({ switches: { reference_at_confirm, status_by } })
  const { scanned } = await pay('po_1')
  const [order] = hub.ledger().orders
  expect(order?.reference === scanned).toBe(reference_at_confirm === 'same')
  expect((await status(scanned)).body).toMatchObject({ data: { numeroReferencia: scanned, estado: byReading } })
  const own = (await status(order?.reference)).body
  if (byOrder === undefined) expect(own).toMatchObject({ code: '04' })
  else
    expect(own).toMatchObject({ data: { numeroReferencia: order?.reference, transaccionId: 'po_1', estado: byOrder } })
})

test.each([
  ['PENDIENTE_PAGO', { code: '00', data: { estado: 'PENDIENTE_PAGO', transaccionId: '' } }],
  ['04', { code: '04' }],
] as const)('a reading without an order has the status %s', async (unconfirmed_status, body) => {
  const { hub, scan, status } = await startOpenHubFixture()
  await hub.setSwitches({ unconfirmed_status })
  const { data } = await scan()
  expect((await status(data['numeroReferencia'])).body).toMatchObject(body)
  expect(await status('547261120000000999')).toMatchObject({ status: 200, body: { code: '04' } })
})

test('a reading pays once, also when it is confirmed twenty times at once', async () => {
  const { hub, scan, confirm } = await startOpenHubFixture()
  const { data } = await scan()
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => confirm(`po_${i}`, data['numeroReferencia'])))
  expect(answers.map(({ body }) => body['code']).sort()).toEqual(['00', ...Array<string>(19).fill('14')])
  expect(hub.ledger()).toMatchObject({
    paid_twice: { by_reference: [] },
    breaches: { reading_confirmed_again: 19 },
    accounts: [{ lost: '100.00' }, {}],
  })
})

test('a reading that is not single-use pays again, which the ledger shows', async () => {
  const { hub, pay, confirm } = await startOpenHubFixture({
    switches: { reading_single_use: false, transaction_id_unique: 'off' },
  })
  const { scanned } = await pay('po_1')
  expect((await confirm('po_1', scanned)).body).toMatchObject({ code: '00', data: { estado: 'APROBADA' } })
  expect(hub.ledger()).toMatchObject({
    paid_twice: { by_transaction: ['po_1'], by_reference: [scanned] },
    accounts: [{ lost: '200.00', debits: '200.00' }, {}],
  })
})

test.each([
  ['14', { status: 200, body: { code: '14' } }, 1],
  ['02', { status: 400, body: { code: '02', errorMessage: "El campo 'transaccionId' no es válido" } }, 1],
  ['off', { status: 200, body: { code: '00' } }, 2],
  ['replay', { status: 200, body: { code: '00', data: { numOrdenAch: '14262611200249000001' } } }, 1],
] as const)(
  'a transaccionId that comes again with another reading: %s',
  async (transaction_id_unique, answer, orders) => {
    const { hub, pay } = await startOpenHubFixture({ switches: { transaction_id_unique } })
    await pay('po_1')
    expect(await pay('po_1')).toMatchObject(answer)
    expect(hub.ledger().orders).toHaveLength(orders)
    expect(hub.ledger().breaches).toMatchObject({ transaction_id_again: 1, reading_confirmed_again: 0 })
  },
)

const codes = ['14', '77', '94', '95', '96', '99', '502'] as const
const open = codes.flatMap((reply) => [[reply, 'paid', '100.00'] as const, [reply, 'unpaid', '0.00'] as const])
test.each<readonly [Reply, Course, string]>([
  ...open,
  ['lost', 'paid', '100.00'],
  ['lost', 'none', '0.00'],
  ['401', 'paid', '100.00'],
  ['truncated', 'paid', '100.00'],
  ...(['02', '08', '09', '10', '11', '12', '13', '15', '401', '404', '429'] as const).map(
    (reply) => [reply, 'none', '0.00'] as const,
  ),
])('a confirm answered %s whose order is %s takes %s', async (reply, course, lost) => {
  const { hub, pay, confirm } = await startOpenHubFixture()
  await hub.setSwitches({ reply_next: [{ operation: 'confirm', reply, course }] })
  const answer = await pay('po_1')
  if (reply === 'lost') expect(answer.status).toBe(0)
  else if (reply.length === 3) expect(answer).toMatchObject({ status: Number(reply), body: { unparsable: /./ } })
  else if (reply === 'truncated') expect(answer.body).toHaveProperty('unparsable')
  else expect(answer).toMatchObject({ status: reply === '02' ? 400 : 200, body: { code: reply } })
  expect(answer.body).not.toHaveProperty('data')
  expect(hub.ledger().accounts[0]?.lost).toBe(lost)
  const again = await confirm('po_2', answer.scanned)
  expect(again.body).toMatchObject({ code: course === 'none' ? '00' : '14' })
})

describe('courses', () => {
  test.each<readonly [Course, string, string, string, string, string]>([
    ['in_process_paid', '00', 'EN_PROCESO', 'APROBADA', '100.00', '0.00'],
    ['in_process_rejected', '00', 'EN_PROCESO', 'RECHAZADA', '0.00', '0.00'],
    ['in_process', '00', 'EN_PROCESO', 'EN_PROCESO', '0.00', '0.00'],
    ['pending_paid', '00', 'PENDIENTE_CONFIRMACION', 'APROBADA', '100.00', '0.00'],
    ['pending_rejected', '00', 'PENDIENTE_CONFIRMACION', 'RECHAZADA', '0.00', '0.00'],
    ['unconfirmed_paid', '94', 'PENDIENTE_PAGO', 'APROBADA', '100.00', '0.00'],
    ['unconfirmed_rejected', '94', 'PENDIENTE_PAGO', 'RECHAZADA', '0.00', '0.00'],
    ['unpaid', '94', 'PENDIENTE_PAGO', 'PENDIENTE_PAGO', '0.00', '0.00'],
    ['paid_returned', '00', 'APROBADA', 'REVERTIDO', '100.00', '100.00'],
  ])('%s is answered %s and %s, and becomes %s', async (course, code, first, last, debits, credits) => {
    const { hub, pay, status, step } = await startOpenHubFixture({ switches: { status_by: 'both' } })
    const { body, scanned } = await pay('po_1', { course })
    expect(body).toMatchObject(code === '00' ? { code, data: { estado: first } } : { code })
    step(2_999)
    expect((await status(scanned)).body).toMatchObject({ data: { estado: first } })
    step(1)
    expect((await status(scanned)).body).toMatchObject({ data: { estado: last } })
    expect(hub.ledger().accounts[0]).toMatchObject({ debits, credits })
  })

  test('status shows an order after its lag', async () => {
    const { pay, status, step } = await startOpenHubFixture({ switches: { status_by: 'scan', status_lag_seconds: 5 } })
    const { scanned } = await pay('po_1')
    step(4_999)
    expect((await status(scanned)).body).toMatchObject({ data: { estado: 'PENDIENTE_PAGO' } })
    step(1)
    expect((await status(scanned)).body).toMatchObject({ data: { estado: 'APROBADA' } })
  })
})

describe('rules', () => {
  test('each member that is invalid is named', async () => {
    const { ask } = await startOpenHubFixture()
    const order = { numeroReferencia: 547, cuentaOrigen: '1', transaccionId: 'a b', importe: '0.00' }
    expect(await ask('POST', `${qrPath}/confirm`, order)).toMatchObject({
      status: 400,
      body: {
        code: '02',
        errorMessage: ['numeroReferencia', 'cuentaOrigen', 'transaccionId', 'importe']
          .map((field) => `El campo '${field}' no es válido`)
          .join('; '),
      },
    })
  })

  test.each<readonly [Switches['closed_amount'], string, string, number]>([
    ['refused', '100.00', '02', 1],
    ['refused', '0', '02', 1],
    ['ignored', '100.00', '00', 1],
  ])(
    'closed_amount %s: an amount %s for a closed QR is answered %s',
    async (closed_amount, importe, code, breaches) => {
      const { hub, scan, ask } = await startOpenHubFixture({ switches: { closed_amount } })
      const { data } = await scan()
      const body = `{"numeroReferencia":"${String(data['numeroReferencia'])}","cuentaOrigen":"${account}","transaccionId":"po_1","importe":${importe}}`
      expect((await ask('POST', `${qrPath}/confirm`, body)).body).toMatchObject({ code })
      expect(hub.ledger().breaches.closed_amount_sent).toBe(breaches)
    },
  )

  test('an unknown reference, an expired QR, a used QR, another account and a short balance have their codes', async () => {
    const { hub, scan, confirm, step, renew } = await startOpenHubFixture()
    const reference = (await scan()).data['numeroReferencia']
    expect((await confirm('po_1', '547261120000000999')).body).toMatchObject({ code: '04' })
    expect((await confirm('po_1', reference, { cuentaOrigen: '7010999003' })).body).toMatchObject({ code: '15' })
    hub.setBalance('99.99')
    expect((await confirm('po_1', reference)).body).toMatchObject({ code: '13' })
    const used = (await scan({ scenario: 'used' })).data['numeroReferencia']
    expect((await confirm('po_1', used)).body).toMatchObject({ code: '14' })
    step(86_400_000)
    await renew()
    expect((await confirm('po_1', reference)).body).toMatchObject({ code: '08' })
  })
})
