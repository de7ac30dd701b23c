import { describe, expect, test } from 'vitest'
import { encodeForTest } from '../event/encode-event.fixture.ts'
import { recordEvent } from '../event/record-event.ts'
import { countingIds } from '../ids.fixture.ts'
import type { BlockRef, ChainBlock } from '../chain/chain.ts'
import { someDeposit } from './deposit.fixture.ts'
import type { ObservedTransfer, ScanClaim, ScanStore } from './ports.ts'
import { scanHead } from './scan-head.ts'
import { scanSolid } from './scan-solid.ts'
import { Unavailable } from '../unavailable.ts'
import { blockOf, refOf, scanHarness as harness, scannedAt as now, type ScanWorld as World } from './scan.fixture.ts'
import { scanBy } from './scan-claim.ts'
import { defaultScanSettings, type Scan, scanRange } from './scan.ts'

const claim: ScanClaim = { chain: 'tron', view: 'solid', fencingToken: 3 }
const noTransfers = { transfers: 0, zeroValue: 0, unknownTokenTransfers: 0, unmatched: [] }
const empty = { blocks: 0, ...noTransfers }

describe('a range', () => {
  const single = { ...defaultScanSettings, readAhead: 1 }
  const range = { claim, after: refOf(6), from: refOf(6), first: 7, last: 8 }
  const seen = { observedTransfers: [], gone: [], ...noTransfers }
  const deposit = { ...someDeposit, txHash: 'cd'.repeat(32), transferIndex: 2, tenantId: 'ten_7' }
  const event = recordEvent(
    { ids: countingIds(), encodeEvent: encodeForTest, now: () => now },
    { type: 'deposit.pending', occurredAt: now, data: deposit },
    () => deposit,
  )
  const observed: ObservedTransfer = {
    step: { deposit, transfer: null, event },
    sender: 'a sender',
    block: 7,
    expiresAt: now,
  }

  test('adds up what its batches have, and writes each from the one before', async () => {
    const { ports, written } = harness({})
    const counts = [
      { transfers: 1, zeroValue: 20, unknownTokenTransfers: 300 },
      { transfers: 4, zeroValue: 50, unknownTokenTransfers: 600 },
    ]
    const observe = async () => ({ ...seen, ...counts.shift() })
    expect(await scanRange(ports, single, range, observe)).toEqual({
      totals: { blocks: 2, transfers: 5, zeroValue: 70, unknownTokenTransfers: 900, unmatched: [] },
      at: refOf(8),
      stopped: 'end',
    })
    const nothing = { observedTransfers: [], gone: [] }
    expect(written).toEqual([
      { from: refOf(6), blocks: [refOf(7)], ...nothing },
      { from: refOf(7), blocks: [refOf(8)], ...nothing },
    ])
  })

  test.each<[string, Partial<ScanStore>, BlockRef, number]>([
    ['write', { advance: async () => ({ type: 'stale' }) }, refOf(6), 0],
    ['lease', { renew: async () => false }, refOf(7), 1],
  ])('ends when its %s is lost to another worker', async (_, scans, at, blocks) => {
    const { ports } = harness({ scans })
    expect(await scanRange(ports, single, range, async () => seen)).toEqual({
      totals: { ...empty, blocks },
      at,
      stopped: 'lost',
    })
  })

  test.each<[string, Partial<ChainBlock>]>([
    ['has another parent', { parentId: 'c7' }],
    ['has not the next number', { number: 9 }],
  ])('ends before a block that %s, in any batch', async (_, over) => {
    for (const settings of [single, defaultScanSettings]) {
      const { ports, written } = harness({ block: (number) => ({ ...blockOf(number), ...(number === 8 && over) }) })
      const scanned = await scanRange(ports, settings, range, async () => seen)
      expect(scanned).toMatchObject({ totals: { blocks: 1 }, at: refOf(7), stopped: 'unlinked' })
      expect(written).toHaveLength(1)
    }
  })

  test('begins with any block when it has no parent', async () => {
    const { ports } = harness({})
    const first = { ...range, after: undefined, from: undefined }
    expect(await scanRange(ports, single, first, async () => seen)).toMatchObject({
      totals: { blocks: 2 },
      stopped: 'end',
    })
  })

  test('a contradiction raises an alert for its tenant, if an observed transfer has one', async () => {
    const refs = [
      { chain: 'tron', txHash: 'cd'.repeat(32), transferIndex: 2 },
      { chain: 'tron', txHash: 'cd'.repeat(32), transferIndex: 1 },
      { chain: 'tron', txHash: 'ef'.repeat(32), transferIndex: 2 },
    ] as const
    const { ports, alerts } = harness({ scans: { advance: async () => ({ type: 'committed', contradicted: refs }) } })
    const observe = async () => ({ ...seen, observedTransfers: [observed] })
    await scanRange(ports, single, { ...range, last: 7 }, observe)
    const detail = 'solid blocks show a transfer that they had ruled out, or confirmed at another address'
    expect(alerts).toEqual([
      { code: 'CHAIN_CONTRADICTS', tenantId: 'ten_7', subject: `${'cd'.repeat(32)}:2`, detail },
      { code: 'CHAIN_CONTRADICTS', tenantId: null, subject: `${'cd'.repeat(32)}:1`, detail },
      { code: 'CHAIN_CONTRADICTS', tenantId: null, subject: `${'ef'.repeat(32)}:2`, detail },
    ])
  })
})

describe('a claim of a scan', () => {
  test('is yielded after the poll, also after one that fails', async () => {
    const { ports, did } = harness({})
    const poll = (state: 'idle' | 'more') =>
      scanBy(ports, 'head', defaultScanSettings, async ({ claim: { view } }) => {
        did.push(`poll ${view}`)
        if (state === 'more') throw new TypeError('a bug')
        return { state, transfers: 2 }
      })()
    expect(await poll('idle')).toEqual({ ...empty, transfers: 2, lagBlocks: undefined, state: 'idle' })
    await expect(poll('more')).rejects.toThrow('a bug')
    expect(did).toEqual(['poll head', 'yield head', 'poll head', 'yield head'])
  })

  test('that cannot be yielded expires', async () => {
    const { ports } = harness({ scans: { yieldClaim: () => Promise.reject(new Error('down')) } })
    const poll = async () => ({ state: 'idle' }) as const
    expect(await scanBy(ports, 'head', defaultScanSettings, poll)()).toMatchObject({ state: 'idle' })
  })

  test('of another worker leaves nothing to do', async () => {
    const { ports } = harness({ scans: { claim: async () => undefined } })
    const poll = () => expect.fail('it is leased')
    expect(await scanBy(ports, 'head', defaultScanSettings, poll)()).toEqual({
      ...empty,
      lagBlocks: undefined,
      state: 'leased',
    })
  })
})

describe('the solid scan', () => {
  test('counts the block at which it begins as left while the node lacks it', async () => {
    const { ports } = harness({ newest: { solid: 7 }, block: () => undefined })
    const settings = { ...defaultScanSettings, firstBlock: 5 }
    expect(await scanSolid(ports, defaultScanSettings)()).toMatchObject({ state: 'idle', blocks: 0, lagBlocks: 1 })
    expect(await scanSolid(ports, settings)()).toMatchObject({ state: 'idle', lagBlocks: 3 })
  })

  test('has no negative lag when the node is behind the stored position', async () => {
    const { ports } = harness({ newest: { solid: 5 }, at: { solid: refOf(7) } })
    expect(await scanSolid(ports, defaultScanSettings)()).toMatchObject({ state: 'idle', blocks: 0, lagBlocks: 0 })
  })

  test('names the block that does not follow', async () => {
    const { ports, alerts } = harness({
      newest: { solid: 9 },
      at: { solid: refOf(6) },
      block: (number) => ({ ...blockOf(number), ...(number === 8 && { parentId: 'c7' }) }),
    })
    expect(await scanSolid(ports, defaultScanSettings)()).toMatchObject({
      state: 'contradicted',
      blocks: 1,
      lagBlocks: 2,
    })
    expect(alerts).toEqual([
      { code: 'CHAIN_CONTRADICTS', tenantId: null, subject: 'tron', detail: 'solid block 8 does not follow b7' },
    ])
  })
})

describe('the head scan', () => {
  const fork = (from: number) => (number: number) => ({
    ...blockOf(number),
    ...(number >= from && { id: `c${number}`, parentId: number === from ? `b${from - 1}` : `c${number - 1}` }),
  })
  const poll = async (world: World) => {
    const { ports, did, written } = harness(world)
    const { state, blocks, lagBlocks } = await scanHead(ports, defaultScanSettings)()
    return { state, blocks, lagBlocks, did, from: written[0]?.from?.id }
  }
  const idle = { state: 'idle', did: ['yield head'] }

  test('waits for the solid scan, and begins at its position', async () => {
    expect(await poll({ newest: { head: 9 } })).toMatchObject({ ...idle, blocks: 0 })
    expect(await poll({ newest: { head: 9 }, at: { solid: refOf(5) } })).toEqual({
      ...idle,
      blocks: 3,
      lagBlocks: 0,
      from: undefined,
    })
  })

  test.each([
    [4, 'b4', ['rewind b4 to b5', 'yield head'], 'b5'],
    [5, 'c5', ['rewind c5 to b5', 'yield head'], 'b5'],
    [5, 'b5', ['yield head'], 'b5'],
    [6, 'b6', ['yield head'], 'b6'],
  ])('at block %i, %s, does %j beside the solid block 5', async (number, id, did, from) => {
    const at = { head: { ...refOf(number), id }, solid: refOf(5) }
    expect(await poll({ newest: { head: 9 }, at })).toMatchObject({ state: 'idle', did, from })
  })

  test('has lost its claim when the jump to the solid scan is stale', async () => {
    const at = { head: refOf(4), solid: refOf(5) }
    const scans = { rewind: async () => 'stale' as const }
    expect(await poll({ newest: { head: 9 }, at, scans })).toMatchObject({
      state: 'leased',
      blocks: 0,
      did: ['yield head'],
    })
  })

  test('rewinds to the newest scanned block that the head still has', async () => {
    const scanned = [8, 7, 6].map(refOf)
    const at = { head: refOf(8), solid: refOf(5) }
    const world = { newest: { head: 10 }, at, scanned }
    expect(await poll({ ...world, block: fork(8) })).toMatchObject({
      state: 'more',
      blocks: 0,
      did: ['rewind b8 to b7', 'yield head'],
    })
    expect(await poll({ ...world, block: fork(6) })).toMatchObject({
      state: 'more',
      did: ['rewind b8 to b5', 'yield head'],
    })
    const scans = { rewind: async () => 'stale' as const }
    expect(await poll({ ...world, block: fork(8), scans })).toMatchObject(idle)
  })

  test('stays when the node lacks a scanned block, or still has the newest', async () => {
    const at = { head: refOf(8), solid: refOf(5) }
    const world = { newest: { head: 10 }, at, scanned: [8, 7, 6].map(refOf) }
    const lacking = (number: number) => (number === 9 ? fork(8)(9) : undefined)
    expect(await poll({ ...world, block: lacking })).toMatchObject(idle)
    const contradicting = (number: number) => (number === 9 ? { ...blockOf(9), parentId: 'c8' } : blockOf(number))
    expect(await poll({ ...world, block: contradicting })).toMatchObject(idle)
  })

  test('has lost its claim when its write is stale', async () => {
    const at = { head: refOf(8), solid: refOf(5) }
    const scans = { advance: async () => ({ type: 'stale' }) as const }
    expect(await poll({ newest: { head: 10 }, at, scans })).toMatchObject({ state: 'leased', blocks: 0, lagBlocks: 1 })
  })

  test('has no negative lag when the node is behind', async () => {
    const at = { head: refOf(8), solid: refOf(5) }
    expect(await poll({ newest: { head: 7 }, at })).toMatchObject({ ...idle, lagBlocks: 0 })
  })
})

test('the first scan of a new chain begins after the genesis block', async () => {
  const { ports, written } = harness({ newest: { solid: 0 } })
  expect(await scanSolid(ports, defaultScanSettings)()).toMatchObject({ ...empty, state: 'idle' })
  expect(written).toEqual([])
})

describe('a block that cannot be read', () => {
  const failing = (numbers: ReadonlySet<number>) =>
    harness({
      newest: { head: 9, solid: 9 },
      at: { head: refOf(5), solid: refOf(5) },
      block: (number) => {
        if (numbers.has(number)) throw new Unavailable('chain', `too large at ${number}`)
        return blockOf(number)
      },
    })
  const polls = async (scan: Scan, count: number) => {
    for (let poll = 0; poll < count; poll++) await scan().catch(() => undefined)
  }

  test.each([
    ['head', scanHead],
    ['solid', scanSolid],
  ] as const)('is named in one alert of the scan of %s blocks', async (view, scanOf) => {
    const { ports, alerts } = failing(new Set([7]))
    const scan = scanOf(ports, defaultScanSettings)
    await polls(scan, 2)
    expect(alerts).toEqual([])
    await polls(scan, 4)
    const detail = 'the scan has stopped here: chain unavailable: too large at 7'
    expect(alerts).toEqual([{ code: 'BLOCK_UNREADABLE', tenantId: null, subject: `tron ${view} block 7`, detail }])
  })

  test('is named again when it was read meanwhile', async () => {
    const numbers = new Set([7])
    const { ports, alerts } = failing(numbers)
    const scan = scanSolid(ports, defaultScanSettings)
    await polls(scan, 3)
    numbers.clear()
    await polls(scan, 1)
    numbers.add(7)
    await polls(scan, 2)
    expect(alerts).toHaveLength(1)
    await polls(scan, 1)
    expect(alerts).toHaveLength(2)
  })
})
