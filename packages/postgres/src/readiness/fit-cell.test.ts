import { expect, onTestFinished, test } from 'vitest'
import { openStoreHarness } from '../test/stores.fixture.ts'
import { refuseUnfitDatabase, UnfitCell } from './fit-database.ts'

/** The indexes of cell g; those without a letter end before them. */
const first = 67_108_864

async function open() {
  const harness = await openStoreHarness()
  onTestFinished(() => harness.close())
  const { stores, sql } = harness
  const start = (cell?: string) =>
    refuseUnfitDatabase({ url: stores.url, cell, isProduction: false }, () => {
      throw new Error('the database has answered')
    })
  return { ...harness, start, letter: (cell: string) => sql('select quipu.set_cell($1)', [cell]) }
}

test('a database keeps its letter, and a process with another one is refused', async () => {
  const { start, letter } = await open()
  await start()
  await expect(start('g')).rejects.toThrow('CELL is g, and the database belongs to no cell.')
  await letter('g')
  await letter('g')
  await start('g')
  await expect(start()).rejects.toThrow(UnfitCell)
  await expect(start('h')).rejects.toThrow('CELL is h, and the database belongs to cell g.')
})

test('addresses of another cell’s indexes are refused at start and by the database', async () => {
  const { start, letter, sql, stores, newTenant } = await open()
  const at = new Date()
  const add = async (tenantId: string) => {
    let drawn = -1
    await stores.addresses.ensure(tenantId, 'tron', (index) => {
      drawn = index
      return { tenantId, chain: 'tron', index, account: `a${index}`, address: `T${index}`, mac: '1.x', createdAt: at }
    })
    return drawn
  }
  expect(await add((await newTenant()).id)).toBe(0)
  await letter('g')
  expect(await add((await newTenant()).id)).toBe(first)

  await sql(`alter sequence quipu.top_up_index_tron minvalue 0 maxvalue ${first} restart 1`)
  await expect(start('g')).rejects.toThrow(
    `the sequence quipu.top_up_index_tron goes from 0 to ${first}, and the indexes of this cell are [${first},${2 * first})`,
  )
  const tenant = await newTenant()
  await expect(add(tenant.id)).rejects.toThrow('the index 1 of a top-up address is not of this cell')
  expect(await stores.addresses.list(tenant.id)).toEqual([])
})
