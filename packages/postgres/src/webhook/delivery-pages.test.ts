import type { ClaimedDelivery } from '@quipu/core/adapter'
import { expect, test } from 'vitest'
import { eventsHappen, everything, newReceiver, recordAll } from '../test/deliveries.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()

const delivered = { type: 'delivered' } as const

test('pages of deliveries that were recorded in parts are in one order, whatever the page size', async () => {
  const [tenantId, id] = await newReceiver(harness)
  const { deliveries } = harness.stores
  await harness.sql(eventsHappen, [tenantId, 120])
  const all: ClaimedDelivery[] = []
  for (let n = 0; n < 6; n++) {
    const claimed = await deliveries.claimDue({ ...everything, limit: 20 })
    all.push(...claimed)
    // The middle of each run is recorded last, the rest one by one.
    const middle = claimed.slice(4, 16)
    for (const each of claimed.filter((one) => !middle.includes(one))) await recordAll(deliveries, [each], delivered)
    await recordAll(deliveries, middle, delivered)
  }
  const ids = all
    .map(({ claim }) => claim.eventId)
    .toSorted()
    .toReversed()
  for (const limit of [1, 3, 17, 119]) {
    const listed: string[] = []
    let after: { readonly createdAt: Date; readonly id: string } | null = null
    do {
      const query = { limit, status: 'delivered', ...(after !== null && { after }) } as const
      const page = await deliveries.list(tenantId, id, query)
      listed.push(...page.items.map(({ eventId }) => eventId))
      after = page.next
    } while (after !== null)
    expect(listed).toEqual(ids)
  }
})
