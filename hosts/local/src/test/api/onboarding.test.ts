import { expect, test } from 'vitest'
import { chainEnvironment, fundAccount, solidLag, startChain } from '../harness/chain.fixture.ts'
import { tenantWallet } from '../../demo/tenant-wallet.ts'
import { until } from '../harness/process.fixture.ts'
import { closedQr } from '../harness/tenant.fixture.ts'
import { expectAllDelivered } from '../harness/expect-deliveries.fixture.ts'
import { openWebhookHarness, type WebhookHarness } from '../harness/webhook-harness.fixture.ts'

type Envelope = { readonly type: string; readonly data: { readonly id: string } }

/** Waits for a verified event of the type. @returns its data */
const receivedEvent = ({ receiver }: WebhookHarness, type: string): Promise<Envelope['data']> =>
  until(`${type} has arrived`, () => {
    const bodies = [...receiver.arrivals.values()].flat().map(({ body }) => body.toString('utf8'))
    return bodies.map((body) => JSON.parse(body) as Envelope).find((event) => event.type === type)
      ?.data
  })

const privateKey = 'a1'.repeat(32)

test('spec §1, onboarding steps 3 to 6: address, webhook, faucet, top-up, payment', async () => {
  await using resources = new AsyncDisposableStack()
  const chain = resources.adopt(await startChain(), (it) => it.stop())
  const harness = resources.use(await openWebhookHarness(await chainEnvironment(chain)))
  harness.openWorker()
  const tenant = await harness.openApi()
  const created = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const { status, json } = await tenant.ask('POST', path, body)
    expect({ path, status }).toEqual({ path, status: 201 })
    return json as Record<string, unknown>
  }
  const read = async (path: string): Promise<unknown> => (await tenant.get(path)).json

  // 3. The tenant reads its top-up address.
  const { top_up_addresses } = (await read('/v1/wallets')) as {
    top_up_addresses: { address: string }[]
  }
  const topUpAddress = top_up_addresses[0]?.address ?? ''

  // 4. The tenant registers a webhook and stores its secret.
  await harness.register(tenant)

  // 5. The tenant sends test tokens from the faucet through its own wallet to the address.
  const address = fundAccount(chain, privateKey)
  const { url, tokenContract: token_contract } = chain
  const wallet = tenantWallet({
    url,
    admin_url: '',
    token_contract,
    wallet: { address, private_key: privateKey },
  })
  const body = { chain: 'tron', address, amount: '25.00' }
  const sent = await tenant.askFaucet({ key: 'attempt-1', body })
  expect(sent).toMatchObject({ status: 201, json: { status: 'submitted', amount: '25.000000' } })
  chain.mine(solidLag + 2)
  const txHash = await wallet.send(topUpAddress, 25_000_000n)
  chain.mine(2)
  const pending = await receivedEvent(harness, 'deposit.pending')
  expect(pending).toMatchObject({ status: 'pending', tx_hash: txHash, address: topUpAddress })
  expect(pending).toEqual(await read(`/v1/deposits/${pending.id}`))
  expect(await read('/v1/wallets')).toMatchObject({ available: '0.000000' })
  chain.mine(solidLag + 1)
  const credited = await receivedEvent(harness, 'deposit.credited')
  expect(credited).toMatchObject({ id: pending.id, status: 'credited', amount: '25.000000' })
  expect(credited).toEqual(await read(`/v1/deposits/${pending.id}`))
  expect(await read('/v1/wallets')).toMatchObject({ available: '25.000000' })

  // 6. The tenant resolves, quotes and pays a test QR.
  const { content } = await created('/v1/sandbox/qr-codes', closedQr('paid'))
  const { json: resolution } = await tenant.ask('POST', '/v1/payouts/qr/resolve', { content })
  const { resolution_id } = resolution as { resolution_id: string }
  const quote = await created('/v1/quotes', { resolution_id })
  const order = { transaction_id: 'order-1', type: 'qr', quote_id: quote['id'], qr: { content } }
  const paid = await created('/v1/payouts', order)
  expect(paid).toMatchObject({ status: 'completed', resolution_id })
  const completed = await receivedEvent(harness, 'payout.completed')
  expect(completed).toEqual(paid)
  expect(completed).toEqual(await read(`/v1/payouts/${completed.id}`))

  expect(await expectAllDelivered(expect, harness)).toHaveLength(3)
})
