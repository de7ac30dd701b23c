import { bob, toDecimal, Unavailable } from '@quipu/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  account,
  anOrder,
  balance,
  clientSecret,
  code,
  listed,
  paidAs,
  readAs,
  reading,
  type Scripted,
  startGateway,
} from './gateway.fixture.ts'

const never = new AbortController().signal
const content = 'kJ3v==|5a0d00c1'
/** The digits of a member of a sent body. */
const digitsOf = (body: string | undefined, member: string): string | undefined =>
  new RegExp(`"${member}":([^,}]+)`).exec(body ?? '')?.[1]

describe('the token', () => {
  test('is requested once for all callers, with the client’s secret, and sent with each call', async () => {
    const gateway = await startGateway()
    await Promise.all(Array.from({ length: 20 }, () => gateway.network.readQr(content, never)))
    const [asked, ...more] = gateway.of('token')
    expect(more).toEqual([])
    expect(asked).toMatchObject({
      path: '/hub/oauth-client-credentials/access-token?grant_type=client_credentials',
      body: '',
      headers: {
        authorization: `Basic ${Buffer.from(`the-client:${clientSecret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
    })
    const headers = { access_token: 'token-1', client_id: 'the-client', 'content-type': 'application/json' }
    expect(gateway.of('scan')[0]).toMatchObject({ path: '/hub/payout/sync/v3/qr/scan', headers })
  })

  test('may be a ready-made Basic value', async () => {
    const gateway = await startGateway({ credentials: { clientId: 'c', basicToken: 'Basic YTpi' } })
    await gateway.network.liquidity()
    expect(gateway.of('token')[0]?.headers.authorization).toBe('Basic YTpi')
  })

  test('is renewed two minutes before it ends', async () => {
    const gateway = await startGateway()
    await gateway.network.readQr(content, never)
    gateway.advance(3_480_000)
    await gateway.network.readQr(content, never)
    expect(gateway.of('token')).toHaveLength(1)
    gateway.advance(1)
    await gateway.network.readQr(content, never)
    expect(gateway.of('token')).toHaveLength(2)
  })

  test.each<[string, Scripted]>([
    ['401', [401, '{"error":"invalid_client"}']],
    ['no token', [201, '{"expires_in":3600}']],
    ['a token that is no header', [201, '{"access_token":"a\\nb"}']],
    ['no answer', null],
  ])('answered with %s: reading is Unavailable, an order not_sent, a status unknown', async (_name, answer) => {
    const gateway = await startGateway()
    gateway.answers.token = () => answer
    await expect(gateway.network.readQr(content, never)).rejects.toThrow(Unavailable)
    expect(await gateway.network.pay(anOrder())).toMatchObject({ type: 'not_sent' })
    expect(await gateway.network.status(anOrder().reference, '1')).toMatchObject({ type: 'unknown' })
    expect(gateway.seen.every(({ operation }) => operation === 'token')).toBe(true)
  })

  test.each([401, 403])('refused with %i: a read is repeated with another, an order never', async (refused) => {
    const gateway = await startGateway()
    let issued = 0
    gateway.answers.token = () => [200, `{"access_token":"token-${++issued}","expires_in":"3600"}`]
    gateway.answers.scan = ({ headers }) =>
      headers['access_token'] === 'token-1' ? [refused, 'access_token'] : readAs({})
    expect(await gateway.network.readQr(content, never)).toMatchObject({ type: 'read' })
    expect(gateway.of('scan')).toHaveLength(2)

    gateway.answers.confirm = () => [refused, 'access_token']
    expect(await gateway.network.pay(anOrder())).toMatchObject({ type: 'unknown' })
    expect(gateway.of('confirm')).toHaveLength(1)
    await gateway.network.liquidity()
    expect(gateway.of('saldos')[0]?.headers['access_token']).toBe('token-3')
  })
})

describe('a reading', () => {
  test('has the facts of a closed QR', async () => {
    const { network } = await startGateway()
    expect(await network.readQr(content, never)).toEqual({
      type: 'read',
      networkRef: reading.numeroReferencia,
      amountMode: 'closed',
      amount: bob(42_50n),
      merchant: { name: reading.titularDestino, bankCode: '51002' },
      description: reading.glosa,
      expiresAt: new Date('2026-11-21T04:00:00Z'),
    })
  })

  test.each<[object, object]>([
    [
      { importe: 0, glosa: ' ' },
      { amountMode: 'open', amount: null, description: null },
    ],
    [{ importe: '0.00' }, { amountMode: 'open', amount: null }],
    [{ importe: '1' }, { amount: bob(1_00n) }],
    [{ numeroReferencia: 4711 }, { networkRef: '4711' }],
    [{ fechaVencimiento: '20270331' }, { expiresAt: new Date('2027-04-01T04:00:00Z') }],
    [{ fechaVencimiento: '2026-02-30' }, { expiresAt: null }],
    [
      { titularDestino: ' ', codigoBancoDestino: 1918 },
      { merchant: { name: reading.nombreBancoDestino, bankCode: '1918' } },
    ],
    [{ titularDestino: 'A\u0000\n\u0007B' }, { merchant: { name: 'A B' } }],
    [{ glosa: '\u0001' }, { description: '…' }],
    [{ glosa: 'x'.repeat(300) }, { description: 'x'.repeat(255) }],
    [{ moneda: 'USD' }, { type: 'refused_qr', reason: 'QR_CURRENCY' }],
    [{ moneda: null }, { type: 'refused_qr', reason: 'QR_CURRENCY' }],
    [{ importe: null }, { type: 'refused_qr', reason: 'invalid answer: importe' }],
    [{ importe: 1.005 }, { type: 'refused_qr' }],
    [{ importe: -1 }, { type: 'refused_qr' }],
    [{ numeroReferencia: '' }, { type: 'refused_qr', reason: 'invalid answer: numeroReferencia' }],
  ])('of %o is read', async (members, expected) => {
    const gateway = await startGateway()
    gateway.answers.scan = () => readAs(members)
    expect(await gateway.network.readQr(content, never)).toMatchObject(expected)
  })

  test.each([
    ['08', 'QR_EXPIRED'],
    ['09', 'QR_INVALID'],
    ['10', 'QR_CURRENCY'],
  ])('answered with %s is refused: %s', async (refused, reason) => {
    const gateway = await startGateway()
    gateway.answers.scan = () => code(refused)
    expect(await gateway.network.readQr(content, never)).toEqual({ type: 'refused_qr', reason })
  })

  test.each<[string, Scripted]>([
    ...['02', '04', '14', '15', '94', '95', '96', '99', 'XX'].map((each): [string, Scripted] => [each, code(each)]),
    ['a text', [502, 'forward failed']],
    ['no data', [200, '{"code":"00"}']],
    ['nothing', null],
  ])('answered with %s is Unavailable, and shows no account', async (_name, answer) => {
    const gateway = await startGateway()
    gateway.answers.scan = () => answer
    const error = await gateway.network.readQr(content, never).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Unavailable)
    expect(String(error)).not.toContain(account)
  })

  test('of nothing, and one that was aborted, request nothing', async () => {
    const gateway = await startGateway()
    expect(await gateway.network.readQr(' \n', never)).toMatchObject({ type: 'refused_qr' })
    await expect(gateway.network.readQr(content, AbortSignal.abort())).rejects.toThrow(Unavailable)
    expect(gateway.seen).toEqual([])
  })
})

describe('an order', () => {
  test('of a closed QR says 0.00, whatever the amount', async () => {
    const gateway = await startGateway()
    const order = anOrder()
    await gateway.network.pay(order)
    const { body, path } = gateway.of('confirm')[0] ?? {}
    expect(path).toBe('/hub/payout/sync/v3/qr/confirm')
    expect(digitsOf(body, 'importe')).toBe('0.00')
    expect(JSON.parse(body ?? '')).toEqual({
      numeroReferencia: order.networkRef,
      transaccionId: order.reference,
      cuentaOrigen: account,
      importe: 0,
    })
  })

  test('of an open QR says every amount as it is', async () => {
    const gateway = await startGateway()
    await fc.assert(
      fc.asyncProperty(fc.bigInt(1n, 99_999_999_999_999n), async (minor) => {
        await gateway.network.pay(anOrder({ amountMode: 'open', amount: bob(minor) }))
        expect(digitsOf(gateway.of('confirm').at(-1)?.body, 'importe')).toBe(toDecimal(bob(minor)))
      }),
      { numRuns: 50 },
    )
  })

  test.each([
    ['Almuerzo', 'Almuerzo'],
    ['a\u0000b\nc', 'a b c'],
    ['💸'.repeat(150), '💸'.repeat(100)],
    [null, undefined],
    [' \u0007', undefined],
  ])('with the description %j sends %j', async (description, glosa) => {
    const gateway = await startGateway()
    await gateway.network.pay(anOrder({ description }))
    expect((JSON.parse(gateway.of('confirm')[0]?.body ?? '') as { glosa?: string }).glosa).toBe(glosa)
  })

  test.each([
    ['of no amount', { amount: bob(0n) }],
    ['of a reading at another network', { networkRef: 'r-1' }],
    ['with an id that is too long', { reference: 'x'.repeat(33) }],
  ])('%s is not sent', async (_name, over) => {
    const gateway = await startGateway()
    expect(await gateway.network.pay(anOrder(over))).toMatchObject({ type: 'not_sent' })
    expect(gateway.seen).toEqual([])
  })

  test('above the cap is answered limit, and never sent', async () => {
    const gateway = await startGateway({ paymentCap: bob(42_50n) })
    expect(await gateway.network.pay(anOrder({ amount: bob(42_51n) }))).toEqual({ type: 'limit' })
    expect(gateway.seen).toEqual([])
    expect(await gateway.network.pay(anOrder())).toMatchObject({ type: 'paid' })
  })

  test('for another amount than that of its closed QR is not sent', async () => {
    const gateway = await startGateway()
    await gateway.network.readQr(content, never)
    expect(await gateway.network.pay(anOrder({ amount: bob(42_51n) }))).toMatchObject({ type: 'not_sent' })
    expect(gateway.of('confirm')).toEqual([])
  })

  test('whose answer is lost is unknown, and its broken connection is not used again', async () => {
    const gateway = await startGateway()
    gateway.answers.confirm = () => null
    expect(await gateway.network.pay(anOrder())).toMatchObject({ type: 'unknown' })
    expect(gateway.of('confirm')).toHaveLength(1)
  })

  test.each(['547261120000004711', '00000000000000000001', '99999999999999999999'])(
    'keeps the reference %s through reading, order, answer and status',
    async (reference) => {
      const gateway = await startGateway()
      gateway.answers.scan = () => [
        200,
        `{"code":"00","data":{"numeroReferencia":"${reference}","importe":1,"moneda":"BOB"}}`,
      ]
      const read = await gateway.network.readQr(content, never)
      if (read.type !== 'read') throw new Error(read.reason)
      const order = anOrder({ networkRef: read.networkRef, amount: bob(1_00n) })
      gateway.answers.confirm = () =>
        paidAs({ transaccionId: order.reference, numeroReferencia: reference, importe: 1 })
      expect(await gateway.network.pay(order)).toMatchObject({ type: 'paid' })
      expect(gateway.of('confirm')[0]?.body).toContain(`"numeroReferencia":"${reference}"`)
      await gateway.network.status(order.reference, read.networkRef)
      expect(gateway.of('status')[0]?.path).toBe(`/hub/payout/sync/v3/qr/status/${reference}`)
    },
  )
})

describe('the balance', () => {
  test('is that of the account, among others', async () => {
    const gateway = await startGateway()
    gateway.answers.saldos = () => listed({ ...balance, numeroCuenta: '1', saldoDisponible: 1 }, balance)
    expect(await gateway.network.liquidity()).toMatchObject({ available: bob(81_250_75n) })
    expect(gateway.of('saldos')[0]).toMatchObject({ path: '/hub/cuentas-comercios/v1/cuentas/saldos' })
  })

  test.each<[string, Scripted]>([
    ['BLOQUEADA, not ACTIVA', listed({ ...balance, estado: 'BLOQUEADA' })],
    ['not in BOB', listed({ ...balance, tipoMoneda: 'USD' })],
    ['not in the answer', listed()],
    ['code 17', code('17')],
    ['no readable saldoDisponible', listed({ ...balance, saldoDisponible: null })],
    ['status 503', [503, '']],
  ])('%s is Unavailable, and shows no account', async (reason, answer) => {
    const gateway = await startGateway()
    gateway.answers.saldos = () => answer
    const error = await gateway.network.liquidity().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Unavailable)
    expect(String(error)).toContain(reason)
    expect(String(error)).not.toContain(account)
  })
})

test('the identity distinguishes accounts, and shows none', async () => {
  const [one, other] = [await startGateway(), await startGateway({ sourceAccount: '8010999001' })]
  expect(one.network.identity).toMatch(/^openhub:127\.0\.0\.1:\d+\/hub:…9001:[0-9a-f]{16}$/)
  expect(other.network.identity.slice(-16)).not.toBe(one.network.identity.slice(-16))
  expect((await startGateway({ identity: 'mine' })).network.identity).toBe('mine')
})
