import { expect, test } from 'vitest'
import { chainEnvironment, fundAccount, solidLag, startChain } from '../harness/chain.fixture.ts'
import { tenantWallet } from '../../demo/tenant-wallet.ts'
import { until } from '../harness/process.fixture.ts'
import { closedQr } from '../harness/tenant.fixture.ts'
import { expectAllTold } from '../harness/expect-deliveries.fixture.ts'
import { openWebhookWorld, type WebhookWorld } from '../harness/webhook-harness.fixture.ts'

type Envelope = { readonly type: string; readonly data: { readonly id: string } }

/** Waits for an event of the type. A stock verifier has believed it. @returns its data */
const told = ({ receiver }: WebhookWorld, type: string): Promise<Envelope['data']> =>
  until(`${type} has arrived`, () => {
    const bodies = [...receiver.arrivals.values()].flat().map(({ body }) => body.toString('utf8'))
    return bodies.map((body) => JSON.parse(body) as Envelope).find((event) => event.type === type)
      ?.data
  })

const privateKey = 'a1'.repeat(32)

test('spec §1 — the onboarding order, steps 3 to 6: address, webhook, faucet, top-up, payment', async () => {
  await using things = new AsyncDisposableStack()
  const chain = things.adopt(await startChain(), (it) => it.stop())
  const world = things.use(await openWebhookWorld(await chainEnvironment(chain)))
  world.openWorker()
  const tenant = await world.openApi()
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

  // 4. It registers a webhook and stores the secret.
  await world.register(tenant)

  // 5. Test tokens from the faucet to its own wallet, which has TRX, and on to the address.
  const address = fundAccount(chain, privateKey)
  const { url, tokenContract: token_contract } = chain
  const wallet = tenantWallet({
    url,
    admin_url: '',
    token_contract,
    wallet: { address, private_key: privateKey },
  })
  const body = { chain: 'tron', address, amount: '25.00' }
  const asked = await tenant.askFaucet({ key: 'attempt-1', body })
  expect(asked).toMatchObject({ status: 201, json: { status: 'submitted', amount: '25.000000' } })
  chain.mine(solidLag + 2)
  const txHash = await wallet.send(topUpAddress, 25_000_000n)
  chain.mine(2)
  const pending = await told(world, 'deposit.pending')
  expect(pending).toMatchObject({ status: 'pending', tx_hash: txHash, address: topUpAddress })
  expect(pending).toEqual(await read(`/v1/deposits/${pending.id}`))
  expect(await read('/v1/wallets')).toMatchObject({ available: '0.000000' })
  chain.mine(solidLag + 1)
  const credited = await told(world, 'deposit.credited')
  expect(credited).toMatchObject({ id: pending.id, status: 'credited', amount: '25.000000' })
  expect(credited).toEqual(await read(`/v1/deposits/${pending.id}`))
  expect(await read('/v1/wallets')).toMatchObject({ available: '25.000000' })

  // 6. A test QR, read, quoted and paid.
  const { content } = await created('/v1/sandbox/qr-codes', closedQr('paid'))
  const { json: resolution } = await tenant.ask('POST', '/v1/payouts/qr/resolve', { content })
  const { resolution_id } = resolution as { resolution_id: string }
  const quote = await created('/v1/quotes', { resolution_id })
  const order = { transaction_id: 'order-1', type: 'qr', quote_id: quote['id'], qr: { content } }
  const paid = await created('/v1/payouts', order)
  expect(paid).toMatchObject({ status: 'completed', resolution_id })
  const completed = await told(world, 'payout.completed')
  expect(completed).toEqual(paid)
  expect(completed).toEqual(await read(`/v1/payouts/${completed.id}`))

  expect(await expectAllTold(expect, world)).toHaveLength(3)
})
