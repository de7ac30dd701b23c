import { credentialOf } from '@quipu/contracts'
import type { ReconciliationRun } from '@quipu/core/operator'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStoreHarness, type StoreHarness } from '../test/stores.fixture.ts'

const start = new Date('2026-04-01T00:00:00Z')
let now = start
let harness: StoreHarness
beforeEach(async () => {
  now = start
  harness = await openStoreHarness({ clockOverride: () => now })
})
afterEach(() => harness.close())

const after = (seconds: number): Date => new Date(start.getTime() + seconds * 1000)

/** Opens a run of the chain check that was requested at this second. @returns its id */
async function open(second: number): Promise<string> {
  const id = harness.ids.next('rcn', start)
  const run = { id, check: 'chain', period: null, scheduledFor: null, requestedBy: 'ana' } as const
  const opened = { ...run, createdAt: after(second), position: 0 }
  expect(await harness.stores.reconciliations.open(opened, credentialOf('ana'))).toBe('opened')
  return id
}

const claim = async () => {
  const claimed = await harness.stores.reconciliations.claimDue(['chain'], 60)
  if (!claimed) throw new Error('no run is due')
  return claimed.claim
}

const find = async (id: string): Promise<ReconciliationRun> => {
  const run = await harness.stores.reconciliations.find(id)
  if (!run) throw new Error(`no run ${id}`)
  return run
}

const slice = { position: 7, compared: 5, differences: 1, isLast: false }

test('a claim moves, ends and yields its own run, and not another one with its fencing token', async () => {
  const { reconciliations } = harness.stores
  const ids = [await open(1), await open(2)]
  const claims = [await claim(), await claim()]
  expect(claims).toEqual(ids.map((id) => ({ id, fencingToken: 1 })))
  const [first, second] = claims
  if (!first || !second) throw new Error('two claims')
  const before = await find(second.id)
  expect(await reconciliations.yieldClaim(first, 'no answer', 60)).toBe(true)
  expect(await find(second.id)).toEqual(before)
  expect(await reconciliations.advance(first, slice, start)).toBe(true)
  expect(await find(second.id)).toEqual(before)
  expect(await reconciliations.advance(second, { ...slice, isLast: true }, start)).toBe(true)
  expect(await reconciliations.yieldClaim(second, 'no answer', 60)).toBe(false)
  expect(await find(second.id)).toMatchObject({ failure: null, completedAt: start })
  expect(await reconciliations.advance(await claim(), { ...slice, isLast: true }, start)).toBe(true)
})

test('the counts of a run never decrease', async () => {
  await open(1)
  for (const fewer of [{ compared: -1 }, { differences: -1 }])
    await expect(
      harness.stores.reconciliations.advance(await claim(), { ...slice, ...fewer }, start).finally(() => {
        now = new Date(now.getTime() + 60_000)
      }),
    ).rejects.toThrow('never_back')
})

test('two runs whose slices fail after half a minute leave turns to a newer run', async () => {
  const failing = [await open(1), await open(2)]
  const newer = await open(3)
  const claimed: string[] = []
  let at = 10
  // The worker repeats a failed slice after a minute, and rests for as long as each slice took.
  for (let turn = 0; turn < 10; turn++) {
    now = after(at)
    const next = await harness.stores.reconciliations.claimDue(['chain'], 300)
    claimed.push(next?.run.id ?? 'none')
    if (next && failing.includes(next.run.id)) {
      now = after(at + 30)
      await harness.stores.reconciliations.yieldClaim(next.claim, 'no answer', 60)
      at += 60
    } else if (next) {
      await harness.stores.reconciliations.advance(next.claim, slice, now)
      at += 2
    }
  }
  expect(claimed).toContain(newer)
})
