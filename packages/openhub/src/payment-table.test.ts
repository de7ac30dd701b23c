import { bob } from '@quipu/core'
import type { NetworkAnswer } from '@quipu/core/adapter'
import { describe, expect, test } from 'vitest'
import { account, anOrder, code, debitOf, listed, paidAs, type Scripted, startGateway } from './gateway.fixture.ts'

const order = anOrder()
const id = order.reference
const paid = { type: 'paid', amount: bob(42_50n), paymentId: '14262611200249000042' }
const ours = (members: object): Scripted => paidAs({ transaccionId: id, ...members })
const breach = { type: 'unknown', breach: true }
/** An outage: no `breach`. */
const outage = { type: 'unknown', reason: expect.any(String) as string }

type Row = readonly [name: string, answer: Scripted, expected: object]

const states: readonly Row[] = [
  ...['APROBADA', 'PAGADO', ' completado '].map((estado): Row => [estado, ours({ estado }), paid]),
  ...['RECHAZADA', 'RECHAZADO'].map((estado): Row => [estado, ours({ estado }), { type: 'refused_payment' }]),
  ...['EN_PROCESO', 'PENDIENTE_CONFIRMACION', 'PENDIENTE', 'INICIALIZADO', 'PROCESO', 'ENVIADO', 'TRANSITO'].map(
    (estado): Row => [estado, ours({ estado }), { type: 'pending' }],
  ),
  ['REVERTIDO', ours({ estado: 'REVERTIDO' }), { type: 'returned' }],
  ...['CANCELADO', 'ERROR', 'NUEVO', '', 'toString'].map((estado): Row => [
    `estado ${estado}`,
    ours({ estado }),
    breach,
  ]),
  ['the id of another order', paidAs({ transaccionId: anOrder().reference }), breach],
  ['a refusal with the id of another order', paidAs({ transaccionId: 'po_x', estado: 'RECHAZADA' }), breach],
  ['dollars', ours({ moneda: 'USD' }), breach],
  ['no currency', ours({ moneda: null }), breach],
  ['an amount of three decimals', ours({ importe: '42.505' }), breach],
  ['the amount 0', ours({ importe: 0 }), breach],
  ['no amount', ours({ importe: null }), breach],
  ['no payment id', ours({ numOrdenAch: '' }), { ...paid, paymentId: null }],
  ['members as text and numbers', [200, textAndNumbers()], paid],
  [
    'a reference of its own',
    ours({ numeroReferencia: '547261120000004712' }),
    { ...paid, networkRef: '547261120000004712' },
  ],
]

function textAndNumbers(): string {
  const members = `"transaccionId":"${id}","estado":"APROBADA","importe":"42.50","moneda":"BOB"`
  return `{"code":0,"data":{${members},"numeroReferencia":547261120000004711,"numOrdenAch":14262611200249000042}}`
}

const texts: readonly Row[] = [
  ['408 of a gateway', [408, 'timeout'], outage],
  ['429 of a gateway', [429, 'too many'], outage],
  ['502 of a gateway', [502, 'forward failed'], outage],
  ['truncated JSON', [200, '{"data":{"importe":42.5,'], outage],
  ['JSON without a code', [200, '{"error":"invalid_client"}'], outage],
  ['an envelope with 500', code('96', 500), outage],
  ['a broken connection', null, outage],
]

const pay = async (answer: Scripted, options = {}): Promise<NetworkAnswer> => {
  const gateway = await startGateway(options)
  gateway.answers.confirm = () => answer
  const answered = await gateway.network.pay(order)
  expect(gateway.of('confirm')).toHaveLength(1)
  return answered
}

const status = async (answer: Scripted): Promise<NetworkAnswer> => {
  const gateway = await startGateway()
  gateway.answers.status = () => answer
  return gateway.network.status(id, order.networkRef)
}

describe('a confirm', () => {
  test.each<Row>([
    ...states,
    ...texts,
    ['PENDIENTE_PAGO', ours({ estado: 'PENDIENTE_PAGO' }), breach],
    ['no id', paidAs({}), paid],
    ...['02', '04', '11', '12', '15'].map((each): Row => [each, code(each), { type: 'not_sent' }]),
    ['02 with 400', code('02', 400), { type: 'not_sent' }],
    ...['08', '09', '10'].map((each): Row => [each, code(each), { type: 'refused_qr' }]),
    ['13', code('13'), { type: 'no_liquidity' }],
    ...['94', '95', '96', '99'].map((each): Row => [each, code(each), outage]),
    ...['14', '05', '17', '100', 'XX'].map((each): Row => [each, code(each), breach]),
    ...[401, 403, 404].map((each): Row => [`${each} of a gateway`, [each, 'access_token'], outage]),
  ])('answered with %s', async (_name, answer, expected) => {
    const answered = await pay(answer)
    expect(answered).toMatchObject(expected)
    expect('breach' in answered).toBe('breach' in expected)
  })

  test.each([401, 403, 404])('of a gateway that refuses before it forwards: %i is not_sent', async (refused) => {
    expect(await pay([refused, 'no'], { isGatewayRefusalNotSent: true })).toMatchObject({ type: 'not_sent' })
    expect(await pay([429, 'no'], { isGatewayRefusalNotSent: true })).toMatchObject(outage)
    expect(await pay(code('14', refused), { isGatewayRefusalNotSent: true })).toMatchObject(breach)
  })

  test('without an amount takes it from the status of the reference that it gave', async () => {
    const gateway = await startGateway()
    gateway.answers.confirm = () => ours({ importe: 0, numeroReferencia: '547261120000004712' })
    gateway.answers.status = ({ path }) =>
      path.endsWith('4712') ? ours({ numeroReferencia: '547261120000004712' }) : code('04')
    expect(await gateway.network.pay(order)).toMatchObject(paid)
  })
})

describe('a status', () => {
  test.each<Row>([
    ...states,
    ...texts,
    ['04', code('04'), { type: 'not_seen' }],
    ['PENDIENTE_PAGO', paidAs({ estado: 'PENDIENTE_PAGO' }), { type: 'not_seen' }],
    ['PENDIENTE_PAGO of our order', ours({ estado: 'PENDIENTE_PAGO' }), { type: 'not_seen' }],
    ['no id', paidAs({}), breach],
    ...['94', '95', '96', '99'].map((each): Row => [each, code(each), outage]),
    ...['02', '08', '13', '14', '15', 'XX'].map((each): Row => [each, code(each), breach]),
    ['401 of a gateway', [401, 'access_token'], outage],
  ])('answered with %s', async (_name, answer, expected) => {
    const answered = await status(answer)
    expect(answered).toMatchObject(expected)
    expect('breach' in answered).toBe('breach' in expected)
  })

  test.each<[string, Scripted]>([
    ['04', code('04')],
    ['PENDIENTE_PAGO', paidAs({ estado: 'PENDIENTE_PAGO' })],
    ['another order', paidAs({ transaccionId: 'po_x' })],
    ['96', code('96')],
    ['nothing', null],
  ])('answered with %s is paid when a debit has our id, and nothing more when none has', async (_name, answer) => {
    const gateway = await startGateway()
    gateway.answers.status = () => answer
    const before = await gateway.network.status(id, order.networkRef)
    expect(['not_seen', 'unknown']).toContain(before.type)
    gateway.answers.debitos = () => listed(debitOf(anOrder().reference), debitOf(id))
    gateway.advance(30_000)
    expect(await gateway.network.status(id, order.networkRef)).toEqual(paid)
  })

  test.each(['PENDIENTE', 'RECHAZADO', 'REVERTIDO', null])('a debit in state %s proves nothing', async (estado) => {
    const gateway = await startGateway()
    gateway.answers.debitos = () => listed({ ...debitOf(id), estado })
    expect(await gateway.network.status(id, order.networkRef)).toEqual({ type: 'not_seen' })
  })

  test('debits that cannot be read leave the answer as it is', async () => {
    const gateway = await startGateway()
    gateway.answers.debitos = () => code('99')
    expect(await gateway.network.status(id, order.networkRef)).toEqual({ type: 'not_seen' })
  })

  test('a hundred payouts in doubt cost one read of the debits', async () => {
    const gateway = await startGateway()
    await Promise.all(Array.from({ length: 100 }, () => gateway.network.status(anOrder().reference, '1')))
    expect(gateway.of('debitos')).toHaveLength(1)
  })
})

test('no reason has the number of an account, or a secret', async () => {
  for (const each of ['02', '14', '96']) expect(JSON.stringify(await pay(code(each)), noBigints)).not.toContain(account)
})

const noBigints = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value)
