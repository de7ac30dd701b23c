import { createLogin, startReplicatedPostgres } from '@quipu/embedded-postgres'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { beginPayments, migratedCluster } from '../harness/database-role.fixture.ts'
import { openPayoutHarness } from '../harness/payout-harness.fixture.ts'
import { operatorToken, type Payout } from '../harness/tenant.fixture.ts'

type Page = { readonly data: readonly { readonly id: string; readonly payout_id?: string }[] }

type Days = { readonly data: readonly { readonly period: string; readonly closing_balance: string }[] }

/** Lists that the server has answered. */
async function answered(operatorUrl: string, server: 'replica' | 'primary'): Promise<number> {
  const headers = { authorization: `Bearer ${operatorToken}` }
  const text = await (await fetch(`${operatorUrl}/metrics`, { headers })).text()
  return Number(new RegExp(`^quipu_database_lists_total{server="${server}"} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
}

test('a payout that was just created is in the lists of its tenant, also while a replica stands still', async () => {
  await using resources = new AsyncDisposableStack()
  const dataDir = await mkdtemp(path.join(tmpdir(), 'quipu-replica-'))
  const pair = resources.use(
    await startReplicatedPostgres({ dataDir, synchronous: false, template: await migratedCluster() }),
  )
  const url = pair.primary.urlFor('quipu')
  await beginPayments(url)
  const roleUrl = await createLogin(url, { name: 'quipu_app', password: 'choose one', memberOf: 'quipu_process' })
  const { username, password } = new URL(roleUrl)
  const replica = Object.assign(new URL(pair.standby.urlFor('quipu')), { username, password })
  const harness = resources.use(await openPayoutHarness({ url, roleUrl }))
  const api = await harness.startApi({ DATABASE_REPLICA_URL: replica.href })

  const payAndList = async (): Promise<void> => {
    const order = await harness.order(api)
    const { json } = await api.pay(order)
    const { id, status } = json as Payout
    expect(status).toBe('completed')
    for (const query of [`transaction_id=${order.transaction_id}`, 'limit=1']) {
      const page = await api.get(`/v1/payouts?${query}`)
      expect((page.json as Page).data.map((payout) => payout.id)).toEqual([id])
    }
    const lines = await api.get('/v1/wallets/transactions?limit=1')
    expect((lines.json as Page).data).toMatchObject([{ payout_id: id }])
    const { data: days } = (await api.get('/v1/statements')).json as Days
    expect(days[0]?.closing_balance).toBe(((await api.get('/v1/wallets')).json as { available: string }).available)
    const read = days.map(({ period }) => api.get(`/v1/statements/${period}`)) // Two days around midnight.
    const paid = (await Promise.all(read)).flatMap(({ json: day }) => (day as Page).data.map((line) => line.payout_id))
    expect(paid).toContain(id)
  }
  await expect.poll(() => payAndList().then(() => answered(api.operatorUrl, 'replica'))).toBeGreaterThan(0)
  await pair.replay.pause()
  const before = [await answered(api.operatorUrl, 'replica'), await answered(api.operatorUrl, 'primary')] as const
  await payAndList()
  expect(await answered(api.operatorUrl, 'replica')).toBe(before[0])
  expect(await answered(api.operatorUrl, 'primary')).toBeGreaterThan(before[1] + 3)
  await pair.replay.resume()
})
