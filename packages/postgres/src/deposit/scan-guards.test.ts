import { blockRef } from '@quipu/contracts'
import { beforeEach, expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'

// `nile` is a chain that the types do not have; the functions take any.

const harness = useStoreHarness({ clockOverride: () => now })
let now = new Date('2026-04-01T00:00:00.000Z')
beforeEach(() => harness.sql('delete from quipu.scan; delete from quipu.scanned_block'))

const step = (seconds: number): void => {
  now = new Date(now.getTime() + seconds * 1000)
}
const claimAs = (chain: string, view: string) =>
  harness.sql('select fencing_token from quipu.claim_scan($1, $2, 100, $3)', [chain, view, now])

/** Every scan but that of the head of `tron`, and the blocks of the other chain. */
const others = async () => [
  await harness.sql(`
    select * from quipu.scan where (chain, view) <> ('tron', 'head') order by chain, view`),
  await harness.sql(`select * from quipu.scanned_block where chain <> 'tron' order by number`),
]

/** All scans with one fencing token at block 105, and blocks 100 to 105 of both heads. */
async function fourScans(): Promise<void> {
  for (const chain of ['tron', 'nile'])
    for (const view of ['head', 'solid']) expect(await claimAs(chain, view)).toEqual([{ fencing_token: 1 }])
  const { number, id, at } = blockRef(105)
  await harness.sql('update quipu.scan set block_number = $1, block_id = $2, block_at = $3', [number, id, at])
  for (const chain of ['tron', 'nile'])
    for (let n = 100; n <= 105; n++)
      await harness.sql('insert into quipu.scanned_block values ($1, $2, $3, $4)', [
        chain,
        n,
        blockRef(n).id,
        blockRef(n).at,
      ])
}

const head = { chain: 'tron', view: 'head', fencingToken: 1 } as const
const solid = { ...head, view: 'solid' } as const
const nothingSeen = { observedTransfers: [], gone: [] }

test('a claim renews, moves, rewinds and yields its own scan only', async () => {
  await fourScans()
  const { scans } = harness.stores
  const before = await others()
  const next = { from: blockRef(105), blocks: [blockRef(106)], ...nothingSeen }
  expect(await scans.renew(head, 1_000)).toBe(true)
  expect(await others()).toEqual(before)
  expect(await scans.advance(head, next)).toEqual({ type: 'committed', contradicted: [] })
  expect(await others()).toEqual(before)
  expect(await scans.rewind(head, blockRef(106), blockRef(102))).toBe('committed')
  expect(await others()).toEqual(before)
  await scans.yieldClaim(head)
  expect(await others()).toEqual(before)
})

test('a move that names the solid scan’s position, or another number of its block, is stale', async () => {
  await fourScans()
  const { scans } = harness.stores
  const forward = { from: blockRef(105), blocks: [blockRef(106)], ...nothingSeen }
  expect(await scans.advance(head, forward)).toMatchObject({ type: 'committed' })
  for (const from of [blockRef(105), { ...blockRef(106), number: 105 }]) {
    expect(await scans.rewind(head, from, blockRef(102))).toBe('stale')
    const write = { from, blocks: [blockRef(107)], ...nothingSeen }
    expect(await scans.advance(head, write)).toEqual({ type: 'stale' })
  }
  expect(await scans.at('tron', 'head')).toEqual(blockRef(106))
  expect(await scans.refsAbove('tron', 104)).toEqual([blockRef(106), blockRef(105)])
})

test('a solid block drops the head’s blocks up to its own, and no other chain’s', async () => {
  await fourScans()
  const { scans } = harness.stores
  const blocks = [blockRef(106), blockRef(107)]
  expect(await scans.advance(head, { from: blockRef(105), blocks, ...nothingSeen })).toMatchObject({
    type: 'committed',
  })
  const nile = async () => (await others())[1]
  const before = await nile()
  const write = { from: blockRef(105), blocks: [blockRef(106)], ...nothingSeen }
  expect(await scans.advance(solid, write)).toMatchObject({ type: 'committed' })
  expect(await scans.refsAbove('tron', 0)).toEqual([blockRef(107)])
  expect(await nile()).toEqual(before)
})

test('a scan can be claimed at the very end of its lease', async () => {
  expect(await claimAs('tron', 'head')).toEqual([{ fencing_token: 1 }])
  step(99)
  expect(await claimAs('tron', 'head')).toEqual([])
  step(1)
  expect(await claimAs('tron', 'head')).toEqual([{ fencing_token: 2 }])
})
