import { newTopUp, someInstant, someOperator } from '@quipu/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStoreHarness, type StoreHarness } from '../test/stores.fixture.ts'

let harness: StoreHarness
beforeAll(async () => {
  harness = await openStoreHarness()
})
afterAll(() => harness.close())

test('an address is retired on its own chain only', async () => {
  const { id: tenantId } = await harness.newTenant()
  const topUp = await newTopUp(harness.stores, tenantId)
  const [row] = await harness.sql(
    `select quipu.retire_top_up_address($1, 'another', 'ana', $2) as retired`,
    [tenantId, someInstant],
  )
  expect(row).toEqual({ retired: false })
  const { addresses } = harness.stores
  expect(await addresses.list(tenantId)).toEqual([topUp])
  expect(await addresses.retire(tenantId, 'tron', someOperator)).toBe(true)
})
