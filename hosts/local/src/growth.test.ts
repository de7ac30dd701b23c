import { closeBooks } from '@quipu/postgres'
import pg from 'pg'
import { expect, test } from 'vitest'
import { micro } from './demo/shop.ts'
import { readDocument } from './documents.fixture.ts'
import { until } from './process.fixture.ts'
import { roleDatabase } from './database-role.fixture.ts'
import { openWorld } from './world.fixture.ts'

const [, unpaid, month, doubted] = readDocument('docs/operations.md')
  .blocks.filter(({ language }) => language === 'sql')
  .map(({ text }) => text)

test('what operations.md deletes leaves every payout, event and balance as it was', async () => {
  await using database = await roleDatabase()
  const { url, roleUrl } = database
  const client = new pg.Client(url)
  await client.connect()
  const rowsOf = async (sql: string): Promise<unknown[]> => (await client.query(sql)).rows
  {
    await using world = await openWorld(database)
    const api = await world.openApi()
    const read = () =>
      Promise.all(
        ['payouts', 'events', 'wallets', 'wallets/transactions'].map((path) =>
          api.get(`/v1/${path}`),
        ),
      )
    await api.pay(await world.order(api))
    await world.order(api) // Quoted, and never paid.
    // As a worker made them in that month.
    for (const table of ['event', 'delivery'])
      await client.query(`create table quipu.${table}_2026_01 partition of quipu.${table}
        for values from ('2026-01-01Z') to ('2026-02-01Z')`)
    await client.query(`set session_replication_role = replica; -- No trigger sees this.
      update quipu.quote set expires_at = now() - interval '40 days';
      set session_replication_role = origin`)
    await client.query(
      `insert into quipu.qr_resolution (tenant_id, id, network_ref, amount_mode, merchant_name,
         bank_code, content_hash, created_at)
       select w.tenant_id, made.id, 'a ref', 'open', 'Somebody', '1001', 'a hash', made.created_at
       from quipu.wallet w, (values ('qrr_old', now() - interval '40 days'), ('qrr_new', now()))
         made (id, created_at)`,
    )
    await closeBooks(roleUrl, { size: 2 })
    expect(await rowsOf(doubted ?? '')).toEqual([])
    expect((await rowsOf('select from quipu.closing')).length).toBeGreaterThan(0)
    await client.query(`set session_replication_role = replica; -- No trigger sees this.
      update quipu.transfer set amount = amount + 1 where type = 'adjustment_in'`)
    expect(await rowsOf(doubted ?? '')).toHaveLength(1)
    await client.query(`update quipu.transfer set amount = amount - 1 where type = 'adjustment_in';
      set session_replication_role = origin`)
    const before = await read()
    const quotes = await rowsOf('select id from quipu.quote where payout_id is not null')

    await client.query(unpaid ?? '')
    await client.query(month ?? '')

    expect(await rowsOf('select id from quipu.quote')).toEqual(quotes)
    expect(await rowsOf('select id from quipu.qr_resolution')).toEqual([{ id: 'qrr_new' }])
    expect(await rowsOf(`select to_regclass('quipu.event_2026_01')::text as name`)).toEqual([
      { name: null },
    ])
    expect((await read()).map(({ json }) => json)).toEqual(before.map(({ json }) => json))
    expect((await api.get('/v1/wallets/reconciliation')).json).toMatchObject({ balanced: true })
    const paid = await api.pay(await world.order(api))
    expect(paid.json).toMatchObject({ status: 'completed' })
  }
  await client.end()
})

test('a worker carries the books of a wallet forward that has moved often', async () => {
  await using database = await roleDatabase()
  const { url } = database
  const client = new pg.Client(url)
  await client.connect()
  const closings = async () => (await client.query('select adjustment_in from quipu.closing')).rows
  {
    await using world = await openWorld(database)
    const api = await world.openApi()
    const { json: before } = await api.get('/v1/wallets/reconciliation')
    await client.query(
      `insert into quipu.transfer (tenant_id, type, debit, credit, amount, available_after,
         held_after, seq, created_at)
       select tenant_id, 'adjustment_in', 'adjustments', 'available', 1, available + n, held,
         seq + n, updated_at + make_interval(secs => n / 1e6)
       from quipu.wallet, generate_series(1, 10000) n`,
    )
    await client.query(
      `update quipu.wallet set available = available + 10000, seq = seq + 10000,
         updated_at = updated_at + make_interval(secs => 0.01)`,
    )
    expect(await closings()).toEqual([])
    await world.startWorker()
    await until('the books are carried forward', async () => (await closings()).length > 0)
    const { json: after } = await api.get('/v1/wallets/reconciliation')
    const adjusted = (books: unknown): bigint => micro((books as { adjusted: string }).adjusted)
    expect(after).toMatchObject({ balanced: true })
    expect(adjusted(after) - adjusted(before)).toBe(10_000n)
  }
  await client.end()
})
