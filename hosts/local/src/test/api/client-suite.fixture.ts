import {
  type Payout,
  type PayoutRequest,
  type Quipu,
  QuipuError,
  type QuoteRecord,
  type SandboxQrRequest,
  verifyWebhook,
} from '@quipu/client'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ApiTarget } from './checked-tenant.fixture.ts'
import { openHookReceiver } from '../harness/hook-receiver.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import { recordedClient, type RecordedClient } from './recorded-client.fixture.ts'

type Client = () => Quipu

/** Every method of the client against a real server. */
export function clientSuite(name: string, open: () => Promise<ApiTarget>): void {
  describe(`the client with ${name}`, () => {
    let recorded: RecordedClient
    const client: Client = () => recorded.client
    beforeAll(async () => {
      recorded = recordedClient({ ...(await open()) })
    })
    paying(client)
    reading(client)
    funding(client)
    webhooks(client)

    test('every method and every operation of the document was called', async () => {
      const { paths = {} } = (await client().service.openApi()) as Paths
      expect(await client().service.health()).toEqual({ status: 'ok' })
      expect(await client().service.readiness()).toMatchObject({ status: 'ready' })
      expect(await client().service.status()).toMatchObject({ payments: 'available' })
      const missed = Object.entries(paths)
        .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
        .filter((operation) => !operation.includes('/mock/') && !isCalled(operation, recorded.requests))
      expect({ missed, unused: recorded.unused() }).toEqual({ missed: [], unused: [] })
    })
  })
}

type Paths = { readonly paths?: Readonly<Record<string, object>> }

function isCalled(operation: string, requests: ReadonlySet<string>): boolean {
  const pattern = new RegExp(`^${operation.replaceAll(/\{[^}]+\}/g, String.raw`[^/]*\d[^/]*`)}$`)
  return [...requests].some((request) => pattern.test(request))
}

const amount = '25.00'

async function orderOf(
  client: Quipu,
  request: Partial<SandboxQrRequest> = {},
): Promise<{ order: PayoutRequest; quote: QuoteRecord }> {
  const { content } = await client.sandbox.createQrCode({ amount_mode: 'closed', amount, ...request })
  const { resolution_id } = await client.payouts.resolveQr({ content })
  const quote = await client.quotes.create({ resolution_id })
  const transaction_id = `client-${crypto.randomUUID()}`
  return { order: { transaction_id, type: 'qr', quote_id: quote.id, qr: { content } }, quote }
}

async function paid(client: Quipu): Promise<Payout> {
  return client.payouts.createAndWait((await orderOf(client)).order)
}

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const each of list) found.push(each)
  return found
}

const refusalOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(() => undefined).catch((reason: unknown) => reason)

function paying(client: Client): void {
  test('pays, and reads the payout and its quote', async () => {
    const { payouts, quotes } = client()
    const { order, quote } = await orderOf(client())
    const payout = await payouts.createAndWait(order)
    expect(payout).toMatchObject({ status: 'completed', target: { currency: 'BOB', amount } })
    expect(await payouts.get(payout.id)).toEqual(payout)
    expect(await payouts.create(order)).toEqual(payout)
    expect(await quotes.get(quote.id)).toMatchObject({ id: quote.id, source: payout.source })
  })

  test('throws errors with the code of the refusal', async () => {
    const { payouts, quotes } = client()
    const { order } = await orderOf(client())
    const { id } = await payouts.createAndWait(order)
    const changed = { ...order, description: 'another order' }
    const reused = await refusalOf(payouts.create(changed))
    expect(reused).toBeInstanceOf(QuipuError)
    expect(reused).toMatchObject({ status: 409, code: 'TRANSACTION_ID_REUSED', payoutId: id })
    const twice = { ...order, transaction_id: `${order.transaction_id}-b` }
    const used = await refusalOf(payouts.create(twice))
    expect(used).toMatchObject({ status: 409, code: 'QUOTE_ALREADY_USED', uncertain: false })
    const bad = await refusalOf(quotes.create({ target: { currency: 'BOB', amount: '1.001' } }))
    expect(bad).toMatchObject({ status: 400, details: [{ field: 'target.amount' }] })
    const missing = await refusalOf(payouts.get('po_01K6HZ8M00000000000000000A'))
    expect(missing).toMatchObject({ status: 404, code: 'PAYOUT_NOT_FOUND' })
  })

  test('returns a failed payout with its error', async () => {
    const { order } = await orderOf(client(), { scenario: 'refused' })
    const error = { code: 'PAYMENT_FAILED' }
    const payout = await client().payouts.createAndWait(order)
    expect(payout).toMatchObject({ status: 'failed', source: null, error })
  })
}

function reading(client: Client): void {
  test('iterates over the pages of every list', async () => {
    const { payouts, wallets, events } = client()
    const created = [await paid(client()), await paid(client()), await paid(client())].toReversed()
    const since = { from: created.at(-1)?.created_at, limit: 2 }
    expect(await all(payouts.list(since))).toEqual(created)
    const rows = await all(wallets.transactions({ ...since, type: 'payout' }))
    expect(rows.map(({ payout_id }) => payout_id)).toEqual(created.map(({ id }) => id))
    const listed = await all(events.list(since))
    expect(listed.map(({ data }) => data)).toEqual(created)
    expect(await events.get(listed[0]?.id ?? '')).toEqual(listed[0])
  })

  test('reads the wallet, its reconciliation and its statements', async () => {
    const { wallets } = client()
    const { available, total } = await wallets.get()
    expect(total).toBe(available)
    expect(await wallets.reconciliation()).toMatchObject({ balanced: true, available })
    const [today] = (await wallets.statements({ limit: 1 }).page()).data
    expect(today).toMatchObject({ status: 'open', closing_balance: total })
    expect(await wallets.statement(today?.period ?? '').page()).toMatchObject(today ?? {})
    expect(await wallets.statementCsv(today?.period ?? '')).toContain(today?.closing_balance)
  })

  test('sets the threshold of its balance, and removes it', async () => {
    const { wallets } = client()
    const low = { low_balance_threshold: '90000000000.000000', balance_low: true }
    expect(await wallets.update({ low_balance_threshold: '90000000000' })).toMatchObject(low)
    expect(await wallets.get()).toMatchObject(low)
    const none = { low_balance_threshold: null, balance_low: false }
    expect(await wallets.update({ low_balance_threshold: '0' })).toMatchObject(none)
  })

  test('lists the key that it uses', async () => {
    const { apiKeys } = client()
    const { data } = await apiKeys.list().page()
    expect(data.map(({ status }) => status)).toEqual(['active'])
    expect(data[0]?.last_used_at).not.toBeNull()
    expect(await apiKeys.current()).toMatchObject({ id: data[0]?.id, status: 'active' })
  })

  test('reads the log of its own requests', async () => {
    const { requests, wallets } = client()
    await wallets.get()
    const newest = async () => (await requests.list({ limit: 1, path: '/v1/wallets' }).page()).data[0]
    await expect.poll(newest).toMatchObject({ method: 'GET', status: 200 })
  })

  test('replaces the key that it uses, and revokes the new one', async () => {
    const { apiKeys } = client()
    const { id } = await apiKeys.current()
    const next = await apiKeys.rotate(id, { overlap_seconds: 86_400 })
    expect(next).toMatchObject({ replaces: id, status: 'active' })
    expect(next.key).toMatch(/^qpu_/)
    expect(await apiKeys.revoke(next.id)).toBeUndefined()
    const { data } = await apiKeys.list({ limit: 2 }).page()
    expect(data).toMatchObject([{ id: next.id, status: 'revoked' }, { id }])
  })
}

function funding(client: Client): void {
  test('sends once per faucet key, and reads deposits', async () => {
    const { sandbox, wallets, deposits } = client()
    const address = 'TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA'
    const askFaucet = async () =>
      sandbox.faucet({ chain: 'tron', address, amount: '1.5' }, { idempotencyKey: 'client' })
    const { replayed: _, ...sent } = await askFaucet()
    expect(await askFaucet()).toEqual({ ...sent, replayed: true })
    expect(await sandbox.faucetSend(sent.id)).toMatchObject({ id: sent.id, amount: sent.amount })
    expect((await wallets.get()).top_up_addresses).toMatchObject([{ chain: 'tron' }])

    const [deposit] = await all(deposits.list())
    const got = deposits.get(deposit?.id ?? 'dep_01K6HZ8M00000000000000000A')
    if (deposit) expect(await got).toEqual(deposit)
    else expect(await refusalOf(got)).toMatchObject({ code: 'DEPOSIT_NOT_FOUND' })
  })
}

function webhooks(client: Client): void {
  test('registers an endpoint, verifies its events, and manages it', async () => {
    const { webhooks: hooks } = client()
    const receiver = await openHookReceiver()
    const { id, secret } = await hooks.create({ url: receiver.url })
    expect(await hooks.test(id)).toMatchObject({ delivered: true })
    const payout = await paid(client())
    const [, hook] = await receiver.until(2)
    const event = await verifyWebhook(hook?.body ?? '', { 'x-service-signature': hook?.signature }, secret)
    expect(event).toMatchObject({ type: 'payout.completed', data: payout })

    const delivery = await until('the delivery is recorded', async () => {
      for await (const each of hooks.deliveries.list(id, { limit: 1 }))
        if (each.event_id === event.id && each.status === 'delivered') return each
      return undefined
    })
    expect(await hooks.deliveries.get(id, delivery.id)).toEqual(delivery)
    await hooks.deliveries.resend(id, delivery.id)
    await receiver.until(3)
    await receiver.stop()

    expect(await hooks.update(id, { description: 'mine' })).toMatchObject({ description: 'mine' })
    expect((await hooks.rotateSecret(id)).secret).not.toBe(secret)
    expect(await hooks.replay(id, { since: new Date().toISOString() })).toMatchObject({ next_cursor: null })
    const future = refusalOf(hooks.replay(id, { since: '2100-01-01T00:00:00Z' }))
    expect(await future).toMatchObject({ details: [{ field: 'since', message: 'must not be in the future' }] })
    expect(await hooks.pause(id)).toMatchObject({ status: 'paused', paused_by: 'tenant' })
    expect(await hooks.reactivate(id)).toMatchObject({ requeued: 0 })
    expect(await hooks.get(id)).toMatchObject({ id, status: 'active' })
    expect((await all(hooks.list())).map((each) => each.id)).toEqual([id])
    await hooks.delete(id)
    expect(await refusalOf(hooks.get(id))).toMatchObject({ code: 'WEBHOOK_NOT_FOUND' })
  })
}
