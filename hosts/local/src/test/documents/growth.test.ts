import { checkpointBalances, forgetOld } from '@quipu/postgres'
import pg from 'pg'
import { expect, test } from 'vitest'
import { micro } from '../../demo/demo-client.ts'
import { readDocument } from './documents.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import { roleDatabase } from '../harness/database-role.fixture.ts'
import { openPayoutHarness } from '../harness/payout-harness.fixture.ts'

const [, month] = readDocument('docs/operations/database.md')
  .blocks.filter(({ language }) => language === 'sql')
  .map(({ text }) => text)

test('the deletions of the handbook and of the worker keep every payout, event and balance', async () => {
  await using database = await roleDatabase()
  const { url, roleUrl } = database
  const client = new pg.Client(url)
  await client.connect()
  const rowsOf = async (sql: string): Promise<unknown[]> => (await client.query(sql)).rows
  {
    await using harness = await openPayoutHarness(database)
    const api = await harness.openApi()
    const read = () =>
      Promise.all(['payouts', 'events', 'wallets', 'wallets/transactions'].map((path) => api.get(`/v1/${path}`)))
    await api.pay(await harness.order(api))
    await harness.order(api) // A quote that is never paid.
    // Partitions of an earlier month.
    for (const table of ['delivery', 'delivered_run'])
      await client.query(`create table quipu.${table}_2026_01 partition of quipu.${table}
        for values from ('2026-01-01Z') to ('2026-02-01Z')`)
    await client.query(`set session_replication_role = replica; -- Disables triggers.
      update quipu.quote set expires_at = now() - interval '40 days';
      set session_replication_role = origin`)
    await harness.order(api) // A quote that is still valid.
    await client.query(
      `insert into quipu.qr_resolution (tenant_id, id, network_ref, amount_mode, merchant_name,
         bank_code, content_hash, created_at)
       select w.tenant_id, made.id, 'a ref', 'open', 'Comercio', '1001', 'a hash', made.created_at
       from quipu.wallet w, (values ('qrr_00old', now() - interval '40 days'), ('qrr_00new', now()))
         made (id, created_at)`,
    )
    await checkpointBalances(roleUrl, { size: 2 })
    const before = await read()
    const quotes = await rowsOf(
      `select id from quipu.quote
       where id in (select quote_id from quipu.payout) or expires_at > now() order by id`,
    )
    expect(quotes).toHaveLength(2)
    await client.query('set role quipu_owner')
    for (const which of ['expires_at < now()', 'expires_at > now()'])
      await expect(rowsOf(`delete from quipu.quote where ${which}`)).rejects.toThrow('is used, or has not expired')
    for (const sql of ['truncate quipu.quote', 'update quipu.quote set bid = 1'])
      await expect(rowsOf(sql)).rejects.toThrow('quote is append-only')
    await client.query('reset role')

    // Today's quotes, as of the day on which they are old.
    await forgetOld(roleUrl, new Date(Date.now() + 31 * 86_400_000).toISOString().slice(0, 10))
    await client.query(month ?? '')

    expect(await rowsOf('select id from quipu.quote order by id')).toEqual(quotes)
    expect(await rowsOf('select id from quipu.qr_resolution')).toEqual([{ id: 'qrr_00new' }])
    for (const table of ['delivery', 'delivered_run'])
      expect(await rowsOf(`select to_regclass('quipu.${table}_2026_01')::text as name`)).toEqual([{ name: null }])
    expect((await read()).map(({ json }) => json)).toEqual(before.map(({ json }) => json))
    expect((await api.get('/v1/wallets/reconciliation')).json).toMatchObject({ balanced: true })
    const paid = await api.pay(await harness.order(api))
    expect(paid.json).toMatchObject({ status: 'completed' })
  }
  await client.end()
})

test('a worker adds a balance checkpoint to a wallet with many entries', async () => {
  await using database = await roleDatabase()
  const { url } = database
  const client = new pg.Client(url)
  await client.connect()
  const checkpoints = async () => (await client.query('select through_seq from quipu.balance_checkpoint')).rows
  {
    await using harness = await openPayoutHarness(database)
    const api = await harness.openApi()
    const { json: before } = await api.get('/v1/wallets/reconciliation')
    await client.query(
      `insert into quipu.funding_entry (tenant_id, seq, logged_at, occurred_at, amount, available_after,
         held_after, type, subject_id)
       select tenant_id, seq + n, at, at, 1, available + n, held, 'adjustment_in', 'a ' || n
       from quipu.wallet, generate_series(1, 10000) n,
         lateral (select greatest(logged_at, created_at) + make_interval(secs => n / 1e6) as at) of_it`,
    )
    await client.query(
      `update quipu.wallet set available = available + 10000, seq = seq + 10000,
         logged_at = (select max(logged_at) from quipu.funding_entry)`,
    )
    expect(await checkpoints()).toEqual([])
    await harness.startWorker()
    await until('a checkpoint is added', async () => (await checkpoints()).length > 0)
    const { json: after } = await api.get('/v1/wallets/reconciliation')
    const adjusted = (books: unknown): bigint => micro((books as { adjusted: string }).adjusted)
    expect(after).toMatchObject({ balanced: true })
    expect(adjusted(after) - adjusted(before)).toBe(10_000n)
  }
  await client.end()
})
