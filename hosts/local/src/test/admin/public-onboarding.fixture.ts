import type { TronDevnet } from '@quipu/simulators'
import type { ExpectStatic } from 'vitest'
import { askJson } from '../../ask-json.ts'
import { tenantWallet } from '../../demo/tenant-wallet.ts'
import { fundAccount, solidLag } from '../harness/chain.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import type { StripeReceiver } from '../harness/stripe-receiver.fixture.ts'
import { closedQr } from '../harness/tenant.fixture.ts'

/** The credentials of a tenant when the operator has onboarded it, and what surrounds it. */
export type Onboarded = {
  readonly url: string
  readonly apiKey: string
  readonly chain: TronDevnet
  readonly receiver: StripeReceiver
}

type Envelope = { readonly type: string; readonly data: { readonly id: string } }

/** Waits for a verified event of the type. @returns its data */
const receivedEvent = (receiver: StripeReceiver, type: string): Promise<Envelope['data']> =>
  until(`${type} has arrived`, () => {
    const bodies = [...receiver.arrivals.values()].flat().map(({ body }) => body.toString('utf8'))
    return bodies.map((body) => JSON.parse(body) as Envelope).find((event) => event.type === type)?.data
  })

const privateKey = 'a1'.repeat(32)

/** Steps 3 to 6 of spec §1, by requests to the public API alone. Each step's answers are expected. */
export async function onboardByPublicApi(
  expect: ExpectStatic,
  { url, apiKey, chain, receiver }: Onboarded,
): Promise<void> {
  const headers = { 'x-api-key': apiKey }
  const read = async (path: string): Promise<unknown> => (await askJson(url, { method: 'GET', path, headers })).json
  const created = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const { status, json } = await askJson(url, { method: 'POST', path, headers, body })
    expect({ path, status, json }).toMatchObject({ path, status: 201 })
    return json as Record<string, unknown>
  }

  // 3. The tenant reads its top-up address.
  const { top_up_addresses } = (await read('/v1/wallets')) as { top_up_addresses: { address: string }[] }
  const topUpAddress = top_up_addresses[0]?.address ?? ''

  // 4. The tenant registers a webhook and stores its secret.
  const { secret } = await created('/v1/webhooks', { url: receiver.url })
  receiver.secret = String(secret)

  // 5. The tenant sends test tokens from the faucet through its own wallet to the address.
  const address = fundAccount(chain, privateKey)
  const { url: node, tokenContract: token_contract } = chain
  const keys = { address, private_key: privateKey }
  const wallet = tenantWallet({ url: node, admin_url: '', token_contract, wallet: keys })
  const sent = await askJson(url, {
    method: 'POST',
    path: '/v1/sandbox/faucet',
    headers: { ...headers, 'idempotency-key': 'attempt-1' },
    body: { chain: 'tron', address, amount: '25.00' },
  })
  expect(sent).toMatchObject({ status: 201, json: { status: 'submitted', amount: '25.000000' } })
  chain.mine(solidLag + 2)
  const txHash = await wallet.send(topUpAddress, 25_000_000n)
  chain.mine(2)
  const pending = await receivedEvent(receiver, 'deposit.pending')
  expect(pending).toMatchObject({ status: 'pending', tx_hash: txHash, address: topUpAddress })
  expect(pending).toEqual(await read(`/v1/deposits/${pending.id}`))
  expect(await read('/v1/wallets')).toMatchObject({ available: '0.000000' })
  chain.mine(solidLag + 1)
  const credited = await receivedEvent(receiver, 'deposit.credited')
  expect(credited).toMatchObject({ id: pending.id, status: 'credited', amount: '25.000000' })
  expect(credited).toEqual(await read(`/v1/deposits/${pending.id}`))
  expect(await read('/v1/wallets')).toMatchObject({ available: '25.000000' })

  // 6. The tenant resolves, quotes and pays a test QR.
  const { content } = await created('/v1/sandbox/qr-codes', closedQr('paid'))
  const resolve = { method: 'POST', path: '/v1/payouts/qr/resolve', headers, body: { content } }
  const { resolution_id } = (await askJson(url, resolve)).json as { resolution_id: string }
  const quote = await created('/v1/quotes', { resolution_id })
  const order = { transaction_id: 'order-1', type: 'qr', quote_id: quote['id'], qr: { content } }
  const paid = await created('/v1/payouts', order)
  expect(paid).toMatchObject({ status: 'completed', resolution_id })
  const completed = await receivedEvent(receiver, 'payout.completed')
  expect(completed).toEqual(paid)
  expect(completed).toEqual(await read(`/v1/payouts/${completed.id}`))
}
