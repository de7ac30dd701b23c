import { describe, expect, test } from 'vitest'
import { scanHead } from './scan-head.ts'
import { scanSolid } from './scan-solid.ts'
import { Unavailable } from '../unavailable.ts'
import { addressMac } from '../top-up-address/address-mac.ts'
import { blockOf, refOf, scanHarness as harness, scannedAt, type ScanWorld as World } from './scan.fixture.ts'
import type { ChainBlock } from '../chain/chain.ts'
import type { ScanStore } from './ports.ts'
import { defaultScanSettings, type Scan, scanRange } from './scan.ts'

describe('a range', () => {
  const settings = { ...defaultScanSettings, readAhead: 1 }
  const claim = { chain: 'tron', view: 'solid', fencingToken: 3 } as const
  const range = { claim, after: refOf(6), from: refOf(6), first: 7, last: 8 }
  const seen = { observedTransfers: [], gone: [], transfers: 0, zeroValue: 0, unknownTokenTransfers: 0, unmatched: [] }

  test.each<[what: string, at: number, Partial<ScanStore>]>([
    ['write', 6, { advance: async () => ({ type: 'stale' }) }],
    ['lease', 7, { renew: async () => false }],
  ])('ends when its %s is lost to another worker', async (_, at, scans) => {
    const scanned = await scanRange(harness({ scans }).ports, settings, range, async () => seen)
    expect(scanned).toMatchObject({ totals: { blocks: at - 6 }, at: refOf(at), stopped: 'lost' })
  })

  test.each<Partial<ChainBlock>>([{ parentId: 'c7' }, { number: 9 }])('ends before a block with %j', async (over) => {
    const { ports } = harness({ block: (number) => ({ ...blockOf(number), ...(number === 8 && over) }) })
    const scanned = await scanRange(ports, settings, range, async () => seen)
    expect(scanned).toMatchObject({ totals: { blocks: 1 }, at: refOf(7), stopped: 'unlinked' })
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

  test.each([
    [4, 'b4', ['rewind b4 to b5', 'yield head'], 'b5'],
    [5, 'c5', ['rewind c5 to b5', 'yield head'], 'b5'],
    [5, 'b5', ['yield head'], 'b5'],
    [6, 'b6', ['yield head'], 'b6'],
  ])('at block %i, %s, does %j beside the solid block 5', async (number, id, did, from) => {
    const at = { head: { ...refOf(number), id }, solid: refOf(5) }
    expect(await poll({ newest: { head: 9 }, at })).toMatchObject({ state: 'idle', did, from })
  })

  test('has lost its claim when a write is stale', async () => {
    const stale = async () => ({ type: 'stale' }) as const
    const [newest, head, solid] = [{ head: 10 }, refOf(8), refOf(5)]
    const lost = { state: 'leased', blocks: 0 }
    expect(await poll({ newest, at: { head, solid }, scans: { advance: stale } })).toMatchObject(lost)
    const scans = { rewind: async () => 'stale' as const }
    expect(await poll({ newest, at: { head: refOf(4), solid }, scans })).toMatchObject(lost)
  })

  test('stays when the node lacks a scanned block, or still has the newest', async () => {
    const at = { head: refOf(8), solid: refOf(5) }
    const world = { newest: { head: 10 }, at, scanned: [8, 7, 6].map(refOf) }
    const lacking = (number: number) => (number === 9 ? fork(8)(9) : undefined)
    expect(await poll({ ...world, block: lacking })).toMatchObject(idle)
    const contradicting = (number: number) => (number === 9 ? { ...blockOf(9), parentId: 'c8' } : blockOf(number))
    expect(await poll({ ...world, block: contradicting })).toMatchObject(idle)
  })
})

test('no scan has a negative lag when the node is behind', async () => {
  const { ports } = harness({ newest: { head: 7, solid: 5 }, at: { head: refOf(8), solid: refOf(7) } })
  for (const scanOf of [scanHead, scanSolid])
    expect(await scanOf(ports, defaultScanSettings)()).toMatchObject({ state: 'idle', lagBlocks: 0 })
})

test('a pending transfer is gone when the passed block of its transaction does not have it', async () => {
  const [place, expiresAt] = [{ chain: 'tron', txHash: 'h', transferIndex: 0 } as const, scannedAt]
  const scans = { unconfirmed: async () => [{ ...place, address: 'T', expiresAt }] }
  const { ports, written } = harness({ newest: { solid: 7 }, at: { solid: refOf(6) }, scans })
  await scanSolid({ ...ports, reader: { ...ports.reader, blockOf: async () => 3 } }, defaultScanSettings)()
  expect(written).toMatchObject([{ gone: [place] }])
})

test('an event does not occur after the process’s clock, when the chain’s is ahead', async () => {
  const addressSource = { derive: () => ({ account: 'a', address: 'T' }) }
  const place = { tenantId: 'ten_1', chain: 'tron', index: 0, ...addressSource.derive() } as const
  const transfers = [{ txHash: 'h', index: 0, from: 'b', to: 'a', value: 5n, expiresAt: scannedAt }]
  const { ports, written } = harness({
    newest: { solid: 7 },
    at: { solid: refOf(6) },
    block: (n) => ({ ...blockOf(n), transfers }),
  })
  const topUp = { ...place, mac: addressMac(ports.addressMacKeys, place), createdAt: scannedAt, retiredAt: null }
  const addresses = { ...ports.addresses, match: async () => [topUp] }
  const earlier = new Date(scannedAt.getTime() - 1_000)
  await scanSolid({ ...ports, addressSource, addresses, now: () => earlier }, defaultScanSettings)()
  expect(written).toMatchObject([{ observedTransfers: [{ step: { event: { occurredAt: earlier } } }] }])
})

test('the first scan of a new chain begins after the genesis block', async () => {
  const { ports, written } = harness({ newest: { solid: 0 } })
  expect(await scanSolid(ports, defaultScanSettings)()).toMatchObject({ blocks: 0, state: 'idle' })
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
