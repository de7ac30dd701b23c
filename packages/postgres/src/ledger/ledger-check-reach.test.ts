import { usdt } from '@quipu/core'
import { expect, test } from 'vitest'
import { rowsReadBy, useStoreSession } from '../test/reach.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()
const sql = useStoreSession(harness)

test('checking a tenant reads its own entries of the audit log, by statistics of a long one', async () => {
  const tenantId = await harness.newWallet(usdt(1n))
  await harness.sql(`
    insert into quipu.api_key (id, tenant_id, name, prefix, last_four, hash, scopes, created_at, activated_at)
    select 'key_' || n, '${tenantId}', 'k', 'qpu_test_', 'abcd', 'hash ' || n, '{payouts:read}', now(), now()
    from generate_series(1, 20) n`)
  await harness.sql(`
    select quipu.write_audit_entries(array_agg(
      quipu.audit_entry(row('ana', null, null, null, null), 'api_key.issue', '${tenantId}', 'key_' || n, now(), null, '{"scopes": ["payouts:read"]}')
    )) from generate_series(1, 5000) n`)
  await harness.sql('vacuum analyze quipu.audit_log, quipu.api_key')
  const check = async (): Promise<void> => {
    expect(await sql('select quipu.check_ledger(100, 1000, 0) as checked')).toEqual([{ checked: 1 }])
  }
  expect(await rowsReadBy(sql, '^audit_log', check)).toBeLessThan(300)
})
