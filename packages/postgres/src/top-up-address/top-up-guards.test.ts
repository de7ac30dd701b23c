import { newTopUp, topUpMaker } from '@quipu/contracts'
import { expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()

/** Inserts an address of this index, as a process with the stores’ password could. */
const insert = (tenantId: string, chain: string, index: number) => {
  const { account, address, mac, createdAt } = topUpMaker(tenantId)(index)
  return harness.sql(`select quipu.insert_top_up_address($1, $2, $3, $4, $5, $6, $7)`, [
    tenantId,
    chain,
    index,
    account,
    address,
    mac,
    createdAt,
  ])
}

const draw = async (tenantId: string, chain: string) => {
  const [row] = await harness.sql('select quipu.draw_top_up_index($1, $2) as index', [tenantId, chain])
  return row?.['index']
}

test('an address needs an index that was drawn, on the chain of the sequence', async () => {
  const { id: tenantId } = await harness.newTenant()
  const notDrawn = /was not drawn/
  await expect(draw('ten_unknown', 'tron')).rejects.toThrow('tenant ten_unknown has no wallet')
  await expect(insert(tenantId, 'tron', 0)).rejects.toThrow(notDrawn)
  expect(await draw(tenantId, 'another')).toBeNull()
  await expect(insert(tenantId, 'tron', 0)).rejects.toThrow(notDrawn)
  expect(await draw(tenantId, 'tron')).toBe(0)
  await expect(insert(tenantId, 'tron', 1)).rejects.toThrow(notDrawn)
  await expect(insert(tenantId, 'another', 0)).rejects.toThrow(notDrawn)
  await insert(tenantId, 'tron', 0)
  expect(await draw(tenantId, 'tron')).toBeNull()
})

test('no two cells have an index in common, and an index of another one is refused', async () => {
  const shared = `with c as (select nullif(l, '') as letter from regexp_split_to_table('ghjkmnpqrstvwxyz', '') l union select null)
    select from c a, c b where a.letter is distinct from b.letter
      and quipu.address_indexes(a.letter) && quipu.address_indexes(b.letter)`
  expect(await harness.sql(shared)).toEqual([])
  const { id: tenantId } = await harness.newTenant()
  await newTopUp(harness.stores, tenantId)
  const foreign = `insert into quipu.top_up_address (tenant_id, chain, index, account, address, address_mac, created_at)
    select tenant_id, chain, 67108864, 'x', 'x', address_mac, created_at from quipu.top_up_address where tenant_id = $1`
  await expect(harness.sql(foreign, [tenantId])).rejects.toThrow('not of this cell')
})
