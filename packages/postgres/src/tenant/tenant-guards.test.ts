import { auditStart, verifyAuditLog } from '@quipu/core/operator'
import { someInstant, someOperator } from '@quipu/contracts'
import { expect, test } from 'vitest'
import { doesWait, openTransaction } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()

test('a tenant is refused whose wallet transactions would have the ids of another’s', async () => {
  const insert = (id: string) =>
    harness.sql(
      `insert into quipu.tenant (id, legal_name, contact_name, contact_email, status, margin_bps,
         fee_bps, fee_fixed, payment_cap, created_at, revision)
       values ($1, 'Ejemplo', 'Ana', 'ana@example.com', 'active', 0, 0, 0, 0, now(), 1)`,
      [id],
    )
  // The SHA-256 digests of these two begin with the same 40 bits.
  await insert('ten_01KJKB3Q000000000000306064')
  await expect(insert('ten_01KJKB3Q000000000000988781')).rejects.toThrow(/tenant_part_of_ids/)
})

/** Inserts a key of the tenant that works. */
async function newKey(tenantId: string) {
  const id = harness.ids.next('key', someInstant)
  await harness.sql(
    `insert into quipu.api_key (id, tenant_id, name, prefix, last_four, hash, scopes, created_at, activated_at)
     values ($1, $2, 'a key', 'qpu_mock_', '1234', $1, '{payouts:read}', $3, $3)`,
    [id, tenantId, someInstant],
  )
  return { id, tenantId }
}

test('a touch and a revocation change their key alone', async () => {
  const { apiKeys } = harness.stores
  const { id: tenantId } = await harness.newTenant()
  const [key, other] = [await newKey(tenantId), await newKey(tenantId)]
  await apiKeys.touch(key, someInstant)
  expect(await apiKeys.find(other.id)).toMatchObject({ lastUsedAt: null, revokedAt: null })
  expect(await apiKeys.revoke(key, someOperator)).toBe('committed')
  expect(await apiKeys.find(key.id)).toMatchObject({ lastUsedAt: someInstant, revokedAt: someInstant })
  expect(await apiKeys.find(other.id)).toMatchObject({ lastUsedAt: null, revokedAt: null })
})

test('two entries at once are chained one after the other', async () => {
  const { audit, url } = harness.stores
  const writing = await openTransaction(url)
  await writing.sql(`select quipu.record_failed_logins('at once', now(), 1)`)
  const work = audit.recordFailedLogins({ address: 'at once', at: someInstant, failures: 2 })
  const isWaiting = await doesWait(harness.sql, work)
  await writing.commit()
  await work
  expect(isWaiting).toBe(true)
  expect(await audit.list({ subject: 'at once', limit: 9 })).toHaveLength(2)
  expect(await verifyAuditLog(audit, auditStart, 100)).toMatchObject({ flaw: null })
})
