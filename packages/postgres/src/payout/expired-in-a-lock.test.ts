import { usdt } from '@quipu/core'
import { expect, test } from 'vitest'
import { doesWait, openTransaction } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()

test('a quote that expires while the commit waits for the wallet is not accepted', async () => {
  const tenantId = await harness.newWallet(usdt(100n))
  // On a slow machine a quote of one second has expired before its commit waits: then the next one lives longer.
  for (let lifeSeconds = 1; ; lifeSeconds *= 2) {
    const quote = await harness.newQuote(tenantId, { source: usdt(10n) })
    const holder = await openTransaction(harness.stores.url)
    await holder.sql('select from quipu.wallet where tenant_id = $1 for update', [tenantId])
    await harness.sql(`
      set session_replication_role = replica;
      update quipu.quote set expires_at = clock_timestamp() + interval '${lifeSeconds} s' where id = '${quote.id}';
      set session_replication_role = origin`)
    const accepting = harness.stores.payouts.commit(harness.acceptCommit(quote))
    const hasWaited = await doesWait(harness.sql, accepting)
    const isExpired = `
      select pg_sleep(greatest(0, extract(epoch from expires_at - clock_timestamp()))::float8)
      from quipu.quote where id = $1`
    await harness.sql(isExpired, [quote.id])
    await holder.commit()
    expect(await accepting).toBe('quote_expired')
    expect(await harness.stores.wallets.find(tenantId)).toMatchObject({ held: usdt(0n) })
    if (hasWaited) return
  }
})
