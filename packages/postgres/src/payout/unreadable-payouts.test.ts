import { usdt } from '@quipu/core'
import { paidAnswer } from '@quipu/contracts'
import { beforeAll, expect, test } from 'vitest'
import type { UnreadableRow } from '../readable-rows.ts'
import { openStoreHarness, type StoreHarness } from '../test/stores.fixture.ts'

let harness: StoreHarness
let reported: UnreadableRow[]
beforeAll(async () => {
  harness = await openStoreHarness({ onUnreadable: (row) => void reported.push(row) })
  return () => harness.close()
})

/** Three payouts, and a superuser's change of the second one. */
async function damagedBetween(
  change: (id: string) => string,
  isSettled = true,
): Promise<readonly [tenantId: string, sound: readonly string[], damaged: string]> {
  reported = []
  const tenantId = await harness.newWallet(usdt(100n))
  const ids: string[] = []
  for (let n = 0; n < 3; n++) {
    const quote = await harness.newQuote(tenantId, { source: usdt(1n) })
    const payout = await harness.newPayout(quote, { leaseSeconds: 0.001 })
    if (isSettled) await harness.stores.payouts.commit(harness.settleCommit(payout, paidAnswer(payout)))
    ids.push(payout.id)
  }
  const [first = '', damaged = '', last = ''] = ids
  await harness.sql(`set session_replication_role = replica; ${change(damaged)}; set session_replication_role = origin`)
  return [tenantId, [last, first], damaged]
}

const idsOf = ({ items }: { readonly items: readonly { readonly id: string }[] }) => items.map(({ id }) => id)

test.each<[string, (id: string) => string]>([
  ['null details', (id) => `update quipu.payout set details = 'null' where id = '${id}'`],
  ['an odd mode', (id) => `update quipu.payout set details = '{"qr":{"amount_mode":7}}' where id = '${id}'`],
  ['no quote', (id) => `delete from quipu.quote where id = (select quote_id from quipu.payout where id = '${id}')`],
  [
    'an end and no hold',
    (id) => `update quipu.payout set hold = null, available_after = null, held_after = null,
      accepted_at = null, leased_until = null where id = '${id}'`,
  ],
])('a payout with %s is left out of lists, which go on after it', async (_, change) => {
  const [tenantId, sound, damaged] = await damagedBetween(change)
  const { payouts, overview } = harness.stores
  expect(idsOf(await payouts.list(tenantId, { limit: 10 }))).toEqual(sound)
  expect(idsOf(await payouts.list(tenantId, { limit: 10, status: 'completed' }))).toEqual(sound)
  const all = await overview.payouts({ limit: 10, tenantId })
  expect(all.items.map(({ payout }) => payout.id)).toEqual(sound)
  // A page that ends with it has a next one.
  const page = await payouts.list(tenantId, { limit: 2 })
  expect(idsOf(page)).toEqual(sound.slice(0, 1))
  const rest = await payouts.list(tenantId, { limit: 2, ...(page.next && { after: page.next }) })
  expect(idsOf(rest)).toEqual(sound.slice(1))
  expect(reported).toContainEqual(expect.objectContaining({ kind: 'payout', tenantId, id: damaged }))
  expect(new Set(reported.map(({ id }) => id))).toEqual(new Set([damaged]))
})

test('a payout that cannot be read keeps no other one from being claimed', async () => {
  const change = (id: string) => `update quipu.payout set details = 'null' where id = '${id}'`
  const [, sound, damaged] = await damagedBetween(change, false)
  const claimed = await harness.stores.payouts.claimDue(100, 15)
  expect(claimed.map(({ payout }) => payout.id).toSorted()).toEqual(sound.toSorted())
  expect(reported).toMatchObject([{ kind: 'payout', id: damaged }])
})

test.each([
  ['are no JSON object', '05'],
  ['have a trace and nothing else', '1e414243'],
  ['are not UTF-8', '7bff7d'],
])('an event whose bytes %s is left out of lists', async (_, bytes) => {
  const [tenantId, sound, damaged] = await damagedBetween(
    (id) => `update quipu.payout_end set body = '\\x${bytes}' where payout_id = '${id}'`,
  )
  const { events, overview } = harness.stores
  const subjects = ({ items }: { readonly items: readonly { readonly subjectId: string }[] }) =>
    items.map(({ subjectId }) => subjectId).toSorted()
  expect(subjects(await events.list(tenantId, { limit: 10 }))).toEqual(sound.toSorted())
  expect(subjects(await overview.events({ limit: 10, tenantId }))).toEqual(sound.toSorted())
  expect(subjects(await overview.events({ limit: 10, subjectId: damaged }))).toEqual([])
  expect(reported.length).toBeGreaterThan(0)
  for (const row of reported) expect(row).toMatchObject({ kind: 'event', tenantId })
})
