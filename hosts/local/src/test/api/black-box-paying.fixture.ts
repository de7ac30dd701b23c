import { descriptionMax } from '@quipu/wire'
import { expect, test } from 'vitest'
import { bob, type CheckedTenant, refusal } from './checked-tenant.fixture.ts'
import { until } from '../harness/process.fixture.ts'

const source = { currency: 'USDT', amount: '2.550839' }
const failed = (status: string, code: string) => ({ status, source: null, error: { code } })

/** The outcome of each scenario of a test QR of BOB 25.00. */
const outcomes: readonly [scenario: string, payout: object][] = [
  ['paid', { status: 'completed', source, error: null }],
  ['refused', failed('failed', 'PAYMENT_FAILED')],
  ['no_liquidity', failed('cancelled', 'INSUFFICIENT_FUNDS')],
  ['limit', failed('cancelled', 'AMOUNT_EXCEEDS_PROVIDER_LIMIT')],
  ['refused_qr', failed('rejected', 'QR_REFUSED')],
]

/** Payments of each QR scenario. */
export function payingSuite({ ask, post, get, qr, order }: CheckedTenant): void {
  test('the wallet has a balance and a top-up address', async () => {
    const { status, json } = await ask('GET', '/v1/wallets')
    expect(status).toBe(200)
    expect(json).toMatchObject({ currency: 'USDT', top_up_addresses: [{ chain: 'tron' }] })
    expect(Number(json.available)).toBeGreaterThan(100)
  })

  test.each(outcomes)('a QR with scenario %s', async (scenario, payout) => {
    const before = await get('/v1/wallets')
    const content = await qr({ scenario, description: 'Mesa 4', merchant_name: 'Café' })
    const resolved = await post('/v1/payouts/qr/resolve', { content })
    expect(resolved).toMatchObject({
      status: 201,
      json: { amount_mode: 'closed', amount: bob('25.00'), merchant: { name: 'Café' }, description: 'Mesa 4' },
    })
    const { resolution_id } = resolved.json
    const quoted = await post('/v1/quotes', { resolution_id })
    expect(quoted).toMatchObject({ status: 201, json: { rate: '9.8007', source, resolution_id } })

    const body = await order(content, quoted.json.id)
    const paid = await post('/v1/payouts', body)

    expect(paid).toMatchObject({
      status: 201,
      json: { ...payout, resolution_id, target: bob('25.00'), quote: { id: quoted.json.id } },
    })
    expect(await get(`/v1/payouts/${paid.json.id}`)).toEqual(paid.json)
    const listed = await get(`/v1/payouts?transaction_id=${body.transaction_id}`)
    expect(listed).toEqual({ data: [paid.json], next_cursor: null })
    expect(await get(`/v1/quotes/${quoted.json.id}`)).toMatchObject({ status: 'used' })
    const after = await get('/v1/wallets')
    const spent = Number(before.available) - Number(after.available)
    expect(spent.toFixed(6)).toBe(scenario === 'paid' ? source.amount : '0.000000')
    expect(after.held).toBe('0.000000')
  })
}

/** Open, late, mismatching and invalid QRs. */
export function qrSuite({ post, get, qr, quote, order, pay }: CheckedTenant): void {
  test('an open QR is paid with the quote’s amount and the longest description', async () => {
    const content = await qr({ amount_mode: 'open', amount: undefined })
    expect((await post('/v1/payouts/qr/resolve', { content })).json).toMatchObject({ amount: null })
    const body = { ...(await order(content)), description: 'ñ'.repeat(descriptionMax) }
    expect((await post('/v1/payouts', body)).json).toMatchObject({
      status: 'completed',
      target: bob('25.00'),
      qr: { amount_mode: 'open' },
    })
  })

  test('a late payment is answered processing and completes seconds later', async () => {
    const paid = await pay(await qr({ scenario: 'late' }))
    expect(paid).toMatchObject({ status: 201, json: { status: 'processing', source: null } })

    const done = await until('the late payment has ended', async () => {
      const payout = await get(`/v1/payouts/${paid.json.id}`)
      return payout.status === 'processing' ? undefined : payout
    })
    expect(done).toMatchObject({ status: 'completed', source, error: null })
  })

  test('a payment with a QR of another amount is cancelled, and the quote is still valid', async () => {
    const { id } = await quote()
    const wrong = await post('/v1/payouts', await order(await qr({ amount: '30.00' }), id))
    expect(wrong).toMatchObject({
      status: 201,
      json: { ...failed('cancelled', 'QUOTE_AMOUNT_MISMATCH'), quote: null, target: bob('30.00') },
    })
    const right = await post('/v1/payouts', await order(await qr(), id))
    expect(right).toMatchObject({ status: 201, json: { status: 'completed' } })
  })

  test('content that is no QR is refused on resolve and rejected on payment', async () => {
    const resolved = await post('/v1/payouts/qr/resolve', { content: 'nothing' })
    expect(resolved).toMatchObject(refusal(422, 'QR_REFUSED'))
    expect(await pay('nothing')).toMatchObject({
      status: 201,
      json: { ...failed('rejected', 'QR_REFUSED'), quote: null },
    })
  })
}

/** Idempotency, single use of quotes, and bank transfers. */
export function onceSuite({ get, post, qr, quote, order }: CheckedTenant): void {
  test('a payment whose answer is lost is made once: the repeated request answers it', async () => {
    const body = await order(await qr({ scenario: 'lost_answer' }))
    const path = `/v1/payouts?transaction_id=${body.transaction_id}`
    expect(await post('/v1/payouts', body)).toMatchObject(refusal(503, 'OPERATION_UNCERTAIN'))
    const { data } = await get(path)
    expect(data).toMatchObject([{ status: 'completed', source }])
    const again = await post('/v1/payouts', body)
    expect(again).toMatchObject({ status: 201, json: data[0] })
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    expect((await get(path)).data).toEqual(data)
  })

  test('a transaction_id is paid once, and a quote is used once', async () => {
    const content = await qr()
    const body = await order(content)
    const replies = await Promise.all([1, 2, 3].map(() => post('/v1/payouts', body)))
    const [first] = replies
    for (const reply of replies) expect(reply).toMatchObject({ status: 201, json: first?.json })

    const replay = await post('/v1/payouts', body)
    expect(replay.headers.get('Idempotent-Replayed')).toBe('true')
    const reused = await post('/v1/payouts', { ...body, description: 'another' })
    expect(reused).toMatchObject(refusal(409, 'TRANSACTION_ID_REUSED'))
    expect(reused.json.error.payout_id).toBe(first?.json.id)
    const used = await post('/v1/payouts', await order(content, body.quote_id))
    expect(used).toMatchObject(refusal(409, 'QUOTE_ALREADY_USED'))
    const unknown = await order(content, '01a1fdd4-0000-7000-8000-000000000000')
    expect(await post('/v1/payouts', unknown)).toMatchObject(refusal(404, 'QUOTE_NOT_FOUND'))
  })

  test('a bank transfer is validated and refused as not available', async () => {
    const account = { bank_code: '1016', account_number: '1234567890', branch_city: 'LPZ' }
    const bank_transfer = { ...account, holder_name: 'Ana Quispe', identification_number: '1234567' }
    const body = { transaction_id: 'bank', type: 'bank_transfer', quote_id: (await quote()).id }
    const reply = await post('/v1/payouts', { ...body, bank_transfer })
    expect(reply).toMatchObject(refusal(422, 'PAYOUT_TYPE_NOT_AVAILABLE'))
  })
}
