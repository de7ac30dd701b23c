import { expect, onTestFinished, test } from 'vitest'
import { openStoreHarness } from '../test/stores.fixture.ts'
import { everyTopUpAddress } from './every-top-up-address.ts'

test('reads every address in pages, the newest index first, until the reader ends it', async () => {
  const { stores, sql, newTenant, close } = await openStoreHarness()
  onTestFinished(close)
  const { id } = await newTenant()
  await sql(`
    insert into quipu.top_up_address
      (chain, account, address, index, tenant_id, address_mac, created_at, retired_at)
    select 'tron', 'account ' || n, 'address ' || n, n, '${id}', 'mac', now(), now()
    from generate_series(0, 1499) n`)
  const pages: number[][] = []
  const read = (all: boolean) =>
    everyTopUpAddress(stores.processUrl, 'tron', (addresses) => {
      pages.push(addresses.map(({ index }) => index))
      return all
    })
  await read(true)
  expect(pages.map((page) => page.length)).toEqual([1_000, 500])
  expect(pages.flat()).toEqual(Array.from({ length: 1_500 }, (_, n) => 1_499 - n))
  pages.length = 0
  await read(false)
  expect(pages).toHaveLength(1)
})
