import { describe, expect, test } from 'vitest'
import { scanHead } from './scan-head.ts'
import { scanSolid } from './scan-solid.ts'
import { Unavailable } from '../unavailable.ts'
import { blockOf, refOf, scanHarness as harness, type ScanWorld as World } from './scan.fixture.ts'
import { defaultScanSettings, type Scan } from './scan.ts'

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

  test('stays when the node lacks a scanned block, or still has the newest', async () => {
    const at = { head: refOf(8), solid: refOf(5) }
    const world = { newest: { head: 10 }, at, scanned: [8, 7, 6].map(refOf) }
    const lacking = (number: number) => (number === 9 ? fork(8)(9) : undefined)
    expect(await poll({ ...world, block: lacking })).toMatchObject(idle)
    const contradicting = (number: number) => (number === 9 ? { ...blockOf(9), parentId: 'c8' } : blockOf(number))
    expect(await poll({ ...world, block: contradicting })).toMatchObject(idle)
  })
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
