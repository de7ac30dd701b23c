import { adjustWallet } from '@quipu/contracts'
import { usdt } from '@quipu/core'
import { expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()

/** A wallet with eight entries, and a checkpoint after the fourth. */
async function eightEntries(): Promise<string> {
  const tenantId = await harness.newWallet(usdt(0n))
  for (let n = 0; n < 8; n++) {
    const id = harness.ids.uuid(new Date())
    const funds = { id, tenantId, direction: 'in', reason: 'test', actor: 'test' } as const
    expect(await adjustWallet(harness.stores, { ...funds, amount: usdt(1n) })).toBe('committed')
  }
  expect(await checkpoint(tenantId)).toBe(true)
  return tenantId
}

async function checkpoint(tenantId: string): Promise<unknown> {
  const add = 'select quipu.checkpoint_balance($1, 4) as added'
  return (await harness.sql(add, [tenantId]))[0]?.['added']
}

/** Inserts a copy of an entry right after it, with this number. */
const copied = (tenantId: string, seq: number, as: number): string => `
  insert into quipu.funding_entry (tenant_id, seq, logged_at, occurred_at, amount, available_after,
    held_after, type, subject_id)
  select tenant_id, ${as}, logged_at + interval '1 us', occurred_at, amount, available_after,
    held_after, type, 'forged' from quipu.funding_entry
  where tenant_id = '${tenantId}' and seq = ${seq}`

/** Changes rows with triggers off, as a superuser can. */
const forge = (text: string): Promise<unknown> =>
  harness.sql(`set session_replication_role = replica; ${text}; set session_replication_role = origin`)

// One of four entries after the checkpoint is missing, and the newest one has the right number all the same.
test.each([
  ['another entry is doubled', 5, 5],
  ['an older entry is in its place', 5, 3],
])('there is no checkpoint when an entry is missing and %s', async (_, seq, as) => {
  const tenantId = await eightEntries()
  await forge(`${copied(tenantId, seq, as)};
    delete from quipu.funding_entry where tenant_id = '${tenantId}' and seq = 6`)
  expect(await checkpoint(tenantId)).toBe(false)
})

test('there is a checkpoint after eight whole entries', async () => {
  const tenantId = await eightEntries()
  expect(await checkpoint(tenantId)).toBe(true)
  expect(await checkpoint(tenantId)).toBe(false)
})
