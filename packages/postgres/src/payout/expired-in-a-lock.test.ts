import { usdt } from '@quipu/core'
import pg from 'pg'
import { expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()

const waiting = `
  select count(*)::int as n from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

test('a quote that expires while the commit waits for the wallet is not accepted', async () => {
  const tenantId = await harness.newWallet(usdt(100n))
  const holder = new pg.Client(harness.stores.url)
  await holder.connect()
  const quote = await harness.newQuote(tenantId, { source: usdt(10n) })
  await harness.sql(`
    set session_replication_role = replica;
    update quipu.quote set expires_at = clock_timestamp() + interval '1 second' where id = '${quote.id}';
    set session_replication_role = origin`)
  await holder.query('begin')
  await holder.query('select from quipu.wallet where tenant_id = $1 for update', [tenantId])
  const accepting = harness.stores.payouts.commit(harness.acceptCommit(quote))
  while ((await harness.sql(waiting))[0]?.['n'] !== 1);
  const isExpired = `
    select pg_sleep(greatest(0, extract(epoch from expires_at - clock_timestamp()))::float8)
    from quipu.quote where id = $1`
  await harness.sql(isExpired, [quote.id])
  await holder.query('commit')
  await holder.end()
  expect(await accepting).toBe('quote_expired')
  expect(await harness.stores.wallets.find(tenantId)).toMatchObject({ held: usdt(0n) })
})
