import { verifyWebhook } from '@quipu/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CheckedTenant, refusal } from './checked-tenant.fixture.ts'
import type { ResponseBody } from './checked-api.fixture.ts'
import { type HookReceiver, openHookReceiver } from '../harness/hook-receiver.fixture.ts'
import { until } from '../harness/process.fixture.ts'

export function listSuite({ ask, get }: CheckedTenant): void {
  test('pages of a list have every item once, newest first', async () => {
    const all = (await get('/v1/payouts?limit=100')).data
    const items: ResponseBody[] = []
    let path = '/v1/payouts?limit=3'
    for (;;) {
      const page = await get(path)
      items.push(...page.data)
      if (page.next_cursor === null) break
      path = `/v1/payouts?limit=3&cursor=${encodeURIComponent(page.next_cursor)}`
    }
    expect(items).toEqual(all)
    expect(all.map(({ id }) => id)).toEqual(
      all
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    )
    const failedOnes = (await get('/v1/payouts?status=failed')).data
    expect(failedOnes).toEqual(all.filter(({ status }) => status === 'failed'))
  })

  test('a tenant reads the log of its own requests', async () => {
    await get('/v1/status')
    const newest = async () => (await get('/v1/requests?limit=1&path=/v1/status')).data[0]
    await expect.poll(newest).toMatchObject({ method: 'GET', path: '/v1/status', status: 200, code: null })
  })

  test('a wallet has a threshold until it is removed', async () => {
    const set = await ask('PATCH', '/v1/wallets', { low_balance_threshold: '90000000000' })
    expect(set).toMatchObject({ status: 200, json: { balance_low: true } })
    const removed = await ask('PATCH', '/v1/wallets', { low_balance_threshold: '0' })
    expect(removed).toMatchObject({ status: 200, json: { low_balance_threshold: null, balance_low: false } })
  })

  test('the reconciliation is balanced, and the newest transaction has the current balance', async () => {
    expect(await get('/v1/wallets/reconciliation')).toMatchObject({ balanced: true })
    const rows = (await get('/v1/wallets/transactions?limit=100')).data
    const { total } = await get('/v1/wallets')
    expect(rows[0]?.balance_after).toBe(total)
    const [today] = (await get('/v1/statements?limit=1')).data
    expect(today).toMatchObject({ status: 'open', closing_balance: total })
    expect(await get(`/v1/statements/${today?.period ?? ''}`)).toMatchObject(today ?? {})
    expect((await get('/v1/deposits')).next_cursor).toBeNull()
    const missing = await ask('GET', '/v1/deposits/dep_01K6HZ8M00000000000000000A')
    expect(missing).toMatchObject(refusal(404, 'DEPOSIT_NOT_FOUND'))
  })
}

export function keySuite({ ask, post, get }: CheckedTenant): void {
  test('a tenant lists its own keys, and a key reads its own record', async () => {
    const { data } = await get('/v1/api-keys?limit=1')
    expect(data).toMatchObject([{ status: 'active' }])
    expect(await get('/v1/status')).toMatchObject({ quotes: 'available', payments: 'available' })
    expect(await get('/v1/api-keys/current')).toMatchObject({ id: data[0]?.id, status: 'active' })
  })

  test('a key that was replaced expires after its overlap', async () => {
    const { id } = await get('/v1/api-keys/current')
    const brief = (await post(`/v1/api-keys/${id}/rotate`, { overlap_seconds: 86_400 })).json
    const withBrief = { 'x-api-key': brief.key }
    const next = await post(`/v1/api-keys/${brief.id}/rotate`, { overlap_seconds: 1 }, withBrief)
    expect(next).toMatchObject({ status: 201, json: { replaces: brief.id } })
    await until('the key has expired', async () => {
      const { status } = await ask('GET', '/v1/api-keys/current', undefined, withBrief)
      return status === 401
    })
    expect(await get(`/v1/api-keys?limit=2`)).toMatchObject({ data: [{ id: next.json.id }, { status: 'expired' }] })
    expect((await post(`/v1/api-keys/${next.json.id}/revoke`)).status).toBe(204)
  })

  test('a key replaces itself, and the new one is revoked', async () => {
    const { id } = await get('/v1/api-keys/current')
    const next = await post(`/v1/api-keys/${id}/rotate`, { overlap_seconds: 86_400 })
    expect(next).toMatchObject({ status: 201, json: { status: 'active', replaces: id } })
    const own = { 'x-api-key': next.json.key }
    expect((await ask('GET', '/v1/api-keys/current', undefined, own)).json.id).toBe(next.json.id)
    expect((await post(`/v1/api-keys/${next.json.id}/revoke`)).status).toBe(204)
    expect(await post(`/v1/api-keys/${next.json.id}/rotate`)).toMatchObject(refusal(409, 'API_KEY_NOT_ACTIVE'))
    expect(await post('/v1/api-keys/key_01K6HZ8M00000000000000000A/revoke')).toMatchObject(
      refusal(404, 'API_KEY_NOT_FOUND'),
    )
    const { data } = await get('/v1/api-keys')
    const statuses = new Map(data.map((key: { id: string; status: string }) => [key.id, key.status]))
    expect([statuses.get(next.json.id), statuses.get(id)]).toEqual(['revoked', 'active'])
  })
}

export function webhookSuite({ ask, post, get, qr, pay }: CheckedTenant): void {
  describe('webhooks', () => {
    let receiver: HookReceiver
    beforeAll(async () => {
      receiver = await openHookReceiver()
    })
    afterAll(() => receiver.stop())

    test('are registered, tested, delivered with a signature, listed, resent and removed', async () => {
      const created = await post('/v1/webhooks', { url: receiver.url, description: 'mine' })
      expect(created).toMatchObject({ status: 201, json: { status: 'active', description: 'mine' } })
      const { id, secret } = created.json
      const at = `/v1/webhooks/${id}`

      const tested = await post(`${at}/test`)
      expect(tested).toMatchObject({ status: 200, json: { delivered: true, status_code: 200 } })
      const paid = await pay(await qr())
      const [test, sent] = await receiver.until(2)

      expect(JSON.parse(test?.body.toString() ?? '')).toMatchObject({ data: { webhook_id: id } })
      expect(JSON.parse(sent?.body.toString() ?? '')).toMatchObject({ type: 'payout.completed', data: paid.json })
      for (const { signature, body } of [test, sent].filter((each) => each !== undefined))
        expect(verifyWebhook([secret], signature, body, new Date())).toBeNull()

      const delivery = await until('the delivery is recorded', async () => {
        const { data } = await get(`${at}/deliveries?status=delivered`)
        return data[0]
      })
      expect(await get(`${at}/deliveries/${delivery.id}`)).toEqual(delivery)
      expect(await get(`/v1/events/${delivery.event_id}`)).toMatchObject({ data: paid.json })
      expect((await get('/v1/events?limit=1')).data).toMatchObject([{ id: delivery.event_id }])
      expect(await post(`${at}/deliveries/${delivery.id}/resend`)).toMatchObject({ status: 202 })
      await receiver.until(3)

      const changed = await ask('PATCH', at, { events: ['payout.failed'] })
      expect(changed).toMatchObject({ status: 200, json: { events: ['payout.failed'] } })
      expect(await post(`${at}/rotate-secret`)).toMatchObject({ status: 200 })
      const replayed = await post(`${at}/replay`, { since: new Date().toISOString() })
      expect(replayed).toMatchObject({ status: 202, json: { resent: 0, next_cursor: null } })
      expect(await post(`${at}/pause`)).toMatchObject({ status: 200, json: { paused_by: 'tenant' } })
      expect(await post(`${at}/reactivate`)).toMatchObject({ status: 200, json: { requeued: 0 } })
      expect(await get(at)).toMatchObject({ id, status: 'active' })
      expect((await get('/v1/webhooks')).data).toMatchObject([{ id }])
      expect(await ask('DELETE', at)).toMatchObject({ status: 204 })
      expect(await ask('GET', at)).toMatchObject(refusal(404, 'WEBHOOK_NOT_FOUND'))
    })
  })
}

export function faucetSuite({ post, get }: CheckedTenant): void {
  test('the faucet sends once per idempotency key', async () => {
    const body = { chain: 'tron', address: 'TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA', amount: '10.5' }
    const askFaucet = (key: string, more: object = {}) =>
      post('/v1/sandbox/faucet', { ...body, ...more }, { 'idempotency-key': key })
    const first = await askFaucet('a')
    expect(first).toMatchObject({ status: 201, json: { status: 'submitted', replayed: false } })
    expect((await askFaucet('a')).json).toEqual({ ...first.json, replayed: true })
    const { id } = first.json
    expect(await get(`/v1/sandbox/faucet/${id}`)).toMatchObject({ id, amount: '10.500000' })
    const another = await askFaucet('a', { amount: '11' })
    expect(another).toMatchObject(refusal(409, 'IDEMPOTENCY_KEY_REUSED'))
    expect(await askFaucet('b')).toMatchObject(refusal(429, 'FAUCET_TOO_SOON'))
    expect(await askFaucet('c', { amount: '100.01' })).toMatchObject(refusal(422, 'FAUCET_AMOUNT_TOO_LARGE'))
    const [topUp] = (await get('/v1/wallets')).top_up_addresses
    const own = await askFaucet('d', { address: topUp?.address })
    expect(own).toMatchObject(refusal(422, 'TOP_UP_ADDRESS_NOT_ALLOWED'))
  })
}
