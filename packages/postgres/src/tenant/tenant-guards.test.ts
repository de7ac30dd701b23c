import { expect, test } from 'vitest'
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
