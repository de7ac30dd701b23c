import { describe, expect, test } from 'vitest'
import type { BlockRef, ChainView } from '@quipu/core/adapter'
import { newTopUp } from '../../fixtures/deposit/addresses.ts'
import { blockRef, scanner, newObservedTransfer } from '../../fixtures/deposit/observed-transfers.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'

type Needed = 'tenants' | 'addresses' | 'scans' | 'deposits'

export function advanceScanTests(open: OpenHarness<Needed>): void {
  describe('the position of a scan', () => {
    const w = useWorld(open, 'each')
    const blocks = (from: number, to: number, branch?: string): BlockRef[] =>
      Array.from({ length: to - from + 1 }, (_, n) => blockRef(from + n, branch))
    const views: readonly ChainView[] = ['head', 'solid']

    test('moves with every write, and is where the next claim continues', async () => {
      for (const view of views) {
        const { claim, scan } = await scanner(w, view)
        await scan()
        await scan({ blocks: blocks(101, 105) })
        expect(await w.scans.at('tron', view)).toEqual(blockRef(105))
        await w.scans.yieldClaim(claim)
        expect((await w.scans.claim('tron', view, 100))?.at).toEqual(blockRef(105))
      }
    })

    test('each view has its own position', async () => {
      const [head, solid] = [await scanner(w, 'head'), await scanner(w, 'solid')]
      await head.scan({ blocks: blocks(100, 120) })
      await solid.scan()
      expect(await w.scans.at('tron', 'head')).toEqual(blockRef(120))
      expect(await w.scans.at('tron', 'solid')).toEqual(blockRef(100))
    })

    test.each<[string, BlockRef | undefined]>([
      ['no block at all', undefined],
      ['an older block', blockRef(100)],
      ['a newer block', blockRef(103)],
      ['another block of this number', blockRef(102, 'fork')],
    ])('a write that continues from %s is stale', async (_, from) => {
      const topUp = await newTopUp(w, (await w.newTenant()).id)
      for (const view of views) {
        const { claim, scan } = await scanner(w, view)
        await scan({ blocks: blocks(100, 102) })
        const write = { from, blocks: [blockRef(104)], observedTransfers: [newObservedTransfer(w, topUp)], gone: [] }
        expect(await w.scans.advance(claim, write)).toEqual({ type: 'stale' })
        expect(await w.scans.at('tron', view)).toEqual(blockRef(102))
      }
      expect((await w.deposits.listAll({ limit: 10 })).items).toEqual([])
    })

    test.each([
      ['leave one out', [104, 105]],
      ['leave out one among them', [103, 105]],
      ['repeat one', [103, 103]],
      ['are in the distant future', [1_000_000_000]],
    ])('blocks that %s are refused: no deposit is passed over', async (_, numbers) => {
      for (const view of views) {
        const { claim, scan } = await scanner(w, view)
        await scan({ blocks: blocks(100, 102) })
        const write = { from: blockRef(102), blocks: numbers.map((n) => blockRef(n)), observedTransfers: [], gone: [] }
        await expect(w.scans.advance(claim, write)).rejects.toThrow('the blocks do not follow block 102')
        expect(await w.scans.at('tron', view)).toEqual(blockRef(102))
      }
    })

    test('concurrent repeats of a write commit once', async () => {
      const topUp = await newTopUp(w, (await w.newTenant()).id)
      for (const view of views) {
        const { claim, nextAdvance } = await scanner(w, view)
        const write = nextAdvance({ observedTransfers: [newObservedTransfer(w, topUp)] })
        const results = await Promise.all(Array.from({ length: 8 }, () => w.scans.advance(claim, write)))
        expect(results.filter(({ type }) => type === 'committed')).toHaveLength(1)
      }
      expect((await w.deposits.listAll({ limit: 10 })).items).toHaveLength(2)
    })

    test('refsAbove lists the head’s blocks above a number, newest first, without solid ones', async () => {
      const [head, solid] = [await scanner(w, 'head'), await scanner(w, 'solid')]
      await solid.scan({ blocks: blocks(90, 99) })
      await head.scan()
      await head.scan({ blocks: blocks(101, 104) })
      await head.scan()
      expect(await w.scans.refsAbove('tron', 99)).toEqual(blocks(100, 105).toReversed())
      expect(await w.scans.refsAbove('tron', 103)).toEqual(blocks(104, 105).toReversed())
      expect(await w.scans.refsAbove('tron', 105)).toEqual([])
      await solid.scan({ blocks: blocks(100, 102) })
      expect(await w.scans.refsAbove('tron', 102)).toEqual(blocks(103, 105).toReversed())
    })

    test('rewind moves the head back to a scanned block and drops the blocks after it', async () => {
      const { claim, scan } = await scanner(w, 'head')
      await scan({ blocks: blocks(100, 105) })
      expect(await w.scans.rewind(claim, blockRef(105), blockRef(102))).toBe('committed')
      expect(await w.scans.at('tron', 'head')).toEqual(blockRef(102))
      expect(await w.scans.refsAbove('tron', 99)).toEqual(blocks(100, 102).toReversed())
      await scan({ from: blockRef(102), blocks: blocks(103, 104, 'fork') })
      expect(await w.scans.refsAbove('tron', 101)).toEqual([
        blockRef(104, 'fork'),
        blockRef(103, 'fork'),
        blockRef(102),
      ])
    })

    test('rewind moves the head back or forward to the position of the solid scan', async () => {
      const [head, solid] = [await scanner(w, 'head'), await scanner(w, 'solid')]
      await head.scan({ blocks: blocks(100, 105, 'fork') })
      await solid.scan({ blocks: blocks(95, 103) })
      expect(await w.scans.rewind(head.claim, blockRef(105, 'fork'), blockRef(103))).toBe('committed')
      expect(await w.scans.at('tron', 'head')).toEqual(blockRef(103))
      expect(await w.scans.refsAbove('tron', 103)).toEqual([])
      await solid.scan({ blocks: blocks(104, 130) })
      expect(await w.scans.rewind(head.claim, blockRef(103), blockRef(130))).toBe('committed')
      expect(await w.scans.at('tron', 'head')).toEqual(blockRef(130))
      expect(await w.scans.refsAbove('tron', 130)).toEqual([])
    })

    test('rewind from another position, or with a lost lease, is stale', async () => {
      const old = await scanner(w, 'head')
      await old.scan({ blocks: blocks(100, 105) })
      for (const from of [blockRef(104), blockRef(106), blockRef(105, 'fork')]) {
        expect(await w.scans.rewind(old.claim, from, blockRef(102))).toBe('stale')
      }
      await w.advance(1_000_001)
      await scanner(w, 'head')
      expect(await w.scans.rewind(old.claim, blockRef(105), blockRef(102))).toBe('stale')
      expect(await w.scans.at('tron', 'head')).toEqual(blockRef(105))
      expect(await w.scans.refsAbove('tron', 104)).toEqual([blockRef(105)])
    })
  })
}
