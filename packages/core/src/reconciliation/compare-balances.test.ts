import { expect, test } from 'vitest'
import { usdt } from '../money.ts'
import type { SweptAmounts } from '../sweep/ports.ts'
import { Unavailable } from '../unavailable.ts'
import { balancesHarness, funded, startedAt } from './compare-balances.fixture.ts'

const nextDay = new Date(startedAt.getTime() + 86_400_000)

test('balances that are the sum of their transfers agree', async () => {
  const { compare, found } = balancesHarness({
    3: funded(12n, [5n, 10], [7n, 99]),
    4: funded(0n),
    // Blocks within the range of the balances may be in them or not.
    5: funded(5n, [5n, 10], [7n, 110]),
    6: funded(12n, [5n, 10], [7n, 110]),
  })
  expect(await compare(0, startedAt)).toEqual({ position: 7, isLast: true, compared: 4, differences: 0 })
  expect(found()).toEqual([])
})

test('a balance is short, or has a surplus that no scan has seen', async () => {
  const { compare, differences } = balancesHarness({
    3: funded(11_999_999n, [12_000_000n, 10]),
    4: funded(12_500_000n, [12_000_000n, 10]),
    5: funded(1n),
  })
  expect(await compare(0, startedAt)).toMatchObject({ compared: 3, differences: 3 })
  expect(differences.all()).toMatchObject([
    {
      check: 'chain',
      kind: 'short',
      subject: 'T3',
      tenantId: 'ten_3',
      scope: 'T3',
      detail:
        'top-up address 3 has 11.999999 USDT in solid blocks instead of 12.000000: tokens left it that no sweep has sent',
      expected: { minor: 12000000n },
      found: { minor: 11999999n },
    },
    {
      kind: 'surplus',
      subject: 'T4',
      expected: { minor: 12000000n },
      detail:
        'top-up address 4 has 12.500000 USDT in solid blocks instead of 12.000000: a transfer that no scan has seen',
    },
    { kind: 'surplus', subject: 'T5', found: { minor: 1n } },
  ])
})

const sweptBy = (solid: bigint, live: bigint): SweptAmounts => ({ solid: usdt(solid), live: usdt(live) })

test.each([
  [0n, sweptBy(12n, 0n), []],
  [7n, sweptBy(5n, 0n), []],
  [12n, sweptBy(0n, 12n), []],
  [0n, sweptBy(0n, 12n), []],
  [1n, sweptBy(12n, 0n), ['surplus T3']],
  [6n, sweptBy(5n, 0n), ['short T3']],
])('of 12 received %i are left, with sweeps %o: %j', async (balance, sweeps, expected) => {
  const { compare, found, swept } = balancesHarness({ 3: funded(balance, [12n, 10]) })
  swept.set('3', sweeps)
  await compare(0, startedAt)
  expect(found()).toEqual(expected)
})

test('a sweep that becomes solid during the reading is no difference', async () => {
  for (const balance of [12n, 0n]) {
    const made = balancesHarness({ 3: funded(balance, [12n, 10]) }, 120, () => made.swept.set('3', sweptBy(12n, 0n)))
    made.swept.set('3', sweptBy(0n, 12n))
    await made.compare(0, startedAt)
    expect(made.found()).toEqual([])
  }
})

test.each([
  [4n, ['short T3']],
  [5n, []],
  [12n, []],
  [13n, ['surplus T3']],
])('a transfer within the blocks of the second reading may be in it or not: %i, %j', async (balance, expected) => {
  const made = balancesHarness({ 3: funded(0n, [5n, 10], [7n, 110]) }, 120, () => {
    if (made.reads.length === 2) made.addresses[3] = funded(balance, [5n, 10], [7n, 110])
  })
  await made.compare(0, startedAt)
  expect(made.found()).toEqual(expected)
})

test('a surplus is none once the scan has reached the block of the balance', async () => {
  const { compare, found } = balancesHarness({ 3: funded(12n, [5n, 10], [7n, 95]) })
  expect(await compare(0, startedAt)).toMatchObject({ differences: 0 })
  expect(found()).toEqual([])
})

test('a surplus is not decided while the scan has stopped', async () => {
  const { compare, found, waits } = balancesHarness({ 3: funded(12n, [5n, 10]) }, 119)
  await expect(compare(0, startedAt)).rejects.toThrow(
    new Unavailable('chain', 'the solid scan has not reached block 120'),
  )
  expect(found()).toEqual([])
  // Two minutes.
  expect(waits).toEqual(Array.from({ length: 40 }, () => 3_000))
})

test('balances that agree wait for no scan and write nothing', async () => {
  const { compare, waits, differences } = balancesHarness({ 3: funded(5n, [5n, 10]), 4: funded(0n) }, 90)
  expect(await compare(0, startedAt)).toMatchObject({ compared: 2, differences: 0 })
  expect([...waits, ...differences.writes]).toEqual([])
})

test('the second reading is compared once the scan has passed its blocks, too', async () => {
  const waited: number[] = []
  const made = balancesHarness({ 3: funded(12n, [5n, 10], [7n, 145]) }, 150, () => {
    waited.push(made.waits.length)
    if (made.reads.length === 2) Object.assign(made.blocks, { from: 130, through: 150 })
  })
  expect(await made.compare(0, startedAt)).toMatchObject({ differences: 0 })
  expect([...waited, made.waits.length]).toEqual([0, 3, 6])
})

test('only addresses that had an open difference are written as gone', async () => {
  const { compare, differences } = balancesHarness({ 3: funded(4n, [5n, 10]), 4: funded(0n) })
  await compare(0, startedAt)
  await compare(0, startedAt)
  expect(differences.writes).toEqual(['record 1', 'record 1', 'resolve T3'])
})

test('an open difference counts on whichever page of the list it is', async () => {
  const { compare, differences } = balancesHarness({ 3: funded(0n) })
  const about = { check: 'chain', kind: 'surplus', tenantId: null, detail: '' } as const
  const found = Array.from({ length: 401 }, (_, n) => {
    const subject = n === 400 ? 'T3' : `T${n + 1_000}`
    return { ...about, id: `${n}`, scope: subject, subject, expected: null, found: null }
  })
  await differences.record(found, startedAt)
  expect(await compare(0, nextDay)).toMatchObject({ compared: 1 })
})

test('reads fifty addresses a slice: funded ones, and the others of the day', async () => {
  const { compare, reads } = balancesHarness(
    Object.fromEntries(Array.from({ length: 120 }, (_, n) => [n, n % 25 === 24 ? funded(5n, [5n, 1]) : funded(0n)])),
  )
  expect(await compare(0, nextDay)).toMatchObject({ position: 50, isLast: false, compared: 2 })
  expect(await compare(50, nextDay)).toMatchObject({ position: 100, isLast: false, compared: 50 })
  expect(await compare(100, nextDay)).toMatchObject({ position: 120, isLast: true, compared: 0 })
  expect(reads.map((accounts) => accounts.length)).toEqual([2, 50])
})

test('a surplus takes the place of a short balance', async () => {
  const { compare, found, addresses } = balancesHarness({ 3: funded(4n, [5n, 10]) })
  await compare(0, startedAt)
  addresses[3] = funded(6n, [5n, 10])
  await compare(0, startedAt)
  expect(found()).toEqual(['surplus T3'])
})

test('compares an unfunded address with an open difference every time', async () => {
  const { compare, found, addresses } = balancesHarness({ 3: funded(1n) })
  await compare(0, startedAt)
  expect(found()).toEqual(['surplus T3'])
  addresses[3] = funded(0n)
  await compare(0, nextDay)
  expect(found()).toEqual([])
})

test('a balance that is not read is a difference of its own, and spoils no other', async () => {
  const { compare, found, unread } = balancesHarness({
    3: funded(4n, [5n, 10]),
    4: funded(5n, [5n, 10]),
    5: funded(4n, [5n, 10]),
  })
  unread.add('4')
  expect(await compare(0, startedAt)).toMatchObject({ compared: 2, differences: 3 })
  expect(found()).toEqual(['short T3', 'short T5', 'unread T4'])
  unread.delete('4')
  await compare(0, nextDay)
  expect(found()).toEqual(['short T3', 'short T5'])
})

test('a balance that is not read ends no open difference, also when it is not read again', async () => {
  const { compare, found, unread, waits } = balancesHarness({ 3: funded(4n, [5n, 10]), 4: funded(4n, [5n, 10]) })
  await compare(0, startedAt)
  unread.add('3')
  expect(await compare(0, nextDay)).toMatchObject({ compared: 1, differences: 2 })
  expect(found()).toEqual(['short T3', 'short T4', 'unread T3'])
  expect(waits.length).toBeGreaterThan(0)
})

test('each address with tokens is queried once, whether it is frozen, and an alert says what to do', async () => {
  const { compare, frozen, blockedQueries, alerts, found } = balancesHarness({
    3: funded(5n, [5n, 50]),
    4: funded(0n, [5n, 50]),
    5: funded(1_500_000n, [1_500_000n, 50]),
  })
  frozen.add('5').add('4')
  await compare(0, startedAt)
  expect(blockedQueries).toEqual(['3', '5'])
  expect(alerts).toEqual([
    {
      code: 'ADDRESS_FROZEN',
      tenantId: 'ten_5',
      subject: 'T5',
      detail:
        'it has 1.500000 USDT; the token’s issuer has frozen it, so nothing at it can move: rotate the tenant’s top-up address',
    },
  ])
  expect(found()).toEqual(['short T4'])
})
