import { expect, test } from 'vitest'
import { usdt } from '../money.ts'
import type { SweptAmounts } from '../sweep/ports.ts'
import { Unavailable } from '../unavailable.ts'
import { compareBalances } from './compare-balances.ts'
import type { AddressFunds } from './ports.ts'
import { ids, recordedDifferences } from './reconciliation.fixture.ts'

/** A day whose thirtieth of unfunded addresses is 0 to 49. */
const startedAt = new Date(30 * 700 * 86_400_000)

type Address = {
  /** Amount and block of each confirmed transfer. */
  readonly deposits: readonly (readonly [amount: bigint, block: number])[]
  readonly balance: bigint
}

/** A chain whose balances are of blocks 100 to 120, and a solid scan that moves by ten blocks a poll. */
function harness(addresses: Record<number, Address>, scannedTo = 120, onRead = () => {}) {
  const swept = new Map<string, SweptAmounts>()
  const differences = recordedDifferences()
  const reads: string[][] = []
  let scanned = 90
  let seconds = 0
  const fundsOf = ([key, { deposits }]: [string, Address], block: number): AddressFunds => {
    const sumUpTo = (last: number) =>
      deposits.reduce((sum, [amount, at]) => (at <= last ? sum + amount : sum), 0n)
    const about = { tenantId: `ten_${key}`, index: Number(key), account: key, address: `T${key}` }
    return {
      ...about,
      received: sumUpTo(scanned),
      receivedThrough: sumUpTo(Math.min(block, scanned)),
    }
  }
  const compare = compareBalances(
    {
      differences,
      ids,
      now: () => new Date(startedAt.getTime() + 1_000 * seconds++),
      chain: {
        tokenBalances: async (accounts) => {
          reads.push([...accounts])
          onRead()
          const read = accounts.map((key) => [key, addresses[Number(key)]?.balance ?? 0n] as const)
          return { from: 100, through: 120, balances: new Map(read) }
        },
      },
      reconciliations: {
        addressFunds: async (_, from, limit, block) =>
          Object.entries(addresses)
            .filter(([key]) => Number(key) >= from)
            .slice(0, limit)
            .map((entry) => fundsOf(entry, block)),
      },
      sweeps: { sweptOf: async () => new Map(swept) },
      scans: { at: async () => ({ number: scanned, id: 'b', at: startedAt }) },
      timer: () => {
        scanned = Math.min(scanned + 10, scannedTo)
        return { done: Promise.resolve(), cancel: () => undefined }
      },
    },
    'tron',
  )
  const found = () => differences.all().map(({ kind, subject }) => `${kind} ${subject}`)
  return { compare, differences, found, reads, addresses, swept }
}

const funded = (balance: bigint, ...deposits: [bigint, number][]): Address => ({
  deposits,
  balance,
})

test('balances that are the sum of their transfers agree', async () => {
  const { compare, found } = harness({
    3: funded(12n, [5n, 10], [7n, 99]),
    4: funded(0n),
    // Blocks within the range of the balances may be in them or not.
    5: funded(5n, [5n, 10], [7n, 110]),
    6: funded(12n, [5n, 10], [7n, 110]),
  })
  expect(await compare(0, startedAt)).toEqual({
    ...{ position: 7, isLast: true, compared: 4, differences: 0 },
  })
  expect(found()).toEqual([])
})

test('a balance is short, or has a surplus that no scan has seen', async () => {
  const { compare, differences } = harness({
    3: funded(11_999_999n, [12_000_000n, 10]),
    4: funded(12_500_000n, [12_000_000n, 10]),
    5: funded(1n),
  })
  expect(await compare(0, startedAt)).toMatchObject({ compared: 3, differences: 3 })
  expect(differences.all()).toMatchObject([
    {
      ...{ check: 'chain', kind: 'short', subject: 'T3', tenantId: 'ten_3', scope: 'T3' },
      detail:
        'top-up address 3 has 11.999999 USDT in solid blocks instead of 12.000000: tokens left it that no sweep has sent',
      ...{ expected: { minor: 12_000_000n }, found: { minor: 11_999_999n } },
    },
    { kind: 'surplus', subject: 'T4', expected: { minor: 12_000_000n } },
    { kind: 'surplus', subject: 'T5', found: { minor: 1n } },
  ])
})

const sweptBy = (solid: bigint, live: bigint): SweptAmounts => ({
  ...{ solid: usdt(solid), live: usdt(live) },
})

test.each([
  [0n, sweptBy(12n, 0n), []],
  [7n, sweptBy(5n, 0n), []],
  [12n, sweptBy(0n, 12n), []],
  [0n, sweptBy(0n, 12n), []],
  [1n, sweptBy(12n, 0n), ['surplus T3']],
  [6n, sweptBy(5n, 0n), ['short T3']],
])('of 12 received %i are left, with sweeps %o: %j', async (balance, sweeps, expected) => {
  const { compare, found, swept } = harness({ 3: funded(balance, [12n, 10]) })
  swept.set('3', sweeps)
  await compare(0, startedAt)
  expect(found()).toEqual(expected)
})

test('a sweep that becomes solid during the reading is no difference', async () => {
  for (const balance of [12n, 0n]) {
    const made = harness({ 3: funded(balance, [12n, 10]) }, 120, () =>
      made.swept.set('3', sweptBy(12n, 0n)),
    )
    made.swept.set('3', sweptBy(0n, 12n))
    await made.compare(0, startedAt)
    expect(made.found()).toEqual([])
  }
})

test('a difference that a second reading does not have is none', async () => {
  let reads = 0
  const made = harness({ 3: funded(5n, [12n, 10]) }, 120, () => {
    if (++reads === 2) made.addresses[3] = funded(12n, [12n, 10])
  })
  expect(await made.compare(0, startedAt)).toMatchObject({ differences: 0 })
  expect(reads).toBe(2)
})

test('a surplus is none once the scan has reached the block of the balance', async () => {
  const { compare, found } = harness({ 3: funded(12n, [5n, 10], [7n, 95]) })
  expect(await compare(0, startedAt)).toMatchObject({ differences: 0 })
  expect(found()).toEqual([])
})

test('a surplus is not decided while the scan stands', async () => {
  const { compare, found } = harness({ 3: funded(12n, [5n, 10]) }, 119)
  await expect(compare(0, startedAt)).rejects.toThrow(Unavailable)
  expect(found()).toEqual([])
})

test('what a later comparison no longer finds is gone', async () => {
  const { compare, found, addresses } = harness({
    3: funded(4n, [5n, 10]),
    4: funded(4n, [5n, 10]),
  })
  await compare(0, startedAt)
  addresses[3] = funded(5n, [5n, 10])
  await compare(0, startedAt)
  expect(found()).toEqual(['short T4'])
})

test('reads fifty addresses a slice: funded ones, and the others of the day', async () => {
  const { compare, reads } = harness(
    Object.fromEntries(
      Array.from({ length: 120 }, (_, n) => [n, n % 25 === 24 ? funded(5n, [5n, 1]) : funded(0n)]),
    ),
  )
  const nextDay = new Date(startedAt.getTime() + 86_400_000)
  expect(await compare(0, nextDay)).toMatchObject({ position: 50, isLast: false, compared: 2 })
  expect(await compare(50, nextDay)).toMatchObject({ position: 100, isLast: false, compared: 50 })
  expect(await compare(100, nextDay)).toMatchObject({ position: 120, isLast: true, compared: 0 })
  expect(reads.map((accounts) => accounts.length)).toEqual([2, 50])
})

test('a surplus takes the place of a short balance', async () => {
  const { compare, found, addresses } = harness({ 3: funded(4n, [5n, 10]) })
  await compare(0, startedAt)
  addresses[3] = funded(6n, [5n, 10])
  await compare(0, startedAt)
  expect(found()).toEqual(['surplus T3'])
})

test('compares an unfunded address with an open difference every time', async () => {
  const { compare, found, addresses } = harness({ 3: funded(1n) })
  await compare(0, startedAt)
  expect(found()).toEqual(['surplus T3'])
  addresses[3] = funded(0n)
  await compare(0, new Date(startedAt.getTime() + 86_400_000))
  expect(found()).toEqual([])
})
