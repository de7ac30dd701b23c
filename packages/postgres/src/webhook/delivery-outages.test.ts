import { Unavailable } from '@quipu/core'
import type { RecordedAttempt } from '@quipu/core/adapter'
import type { Cut, Proxy } from '@quipu/embedded-postgres'
import { afterEach, describe, expect, test } from 'vitest'
import { attemptAt, eventsHappen, everything, newReceiver, recordAll } from '../test/deliveries.fixture.ts'
import { openFragileStores, useStoreHarness } from '../test/stores.fixture.ts'
import type { PostgresStores } from '../stores.ts'

const harness = useStoreHarness({ connectTimeoutMs: 5_000 })

let fragile: PostgresStores
let proxy: Proxy
const open = async (): Promise<void> => {
  ;({ fragile, proxy } = await openFragileStores(harness.stores.processUrl))
}
afterEach(async () => {
  await fragile.close()
  await proxy.shut()
})

const cuts: readonly Cut[] = ['unsent', 'sent', 'done']
const exhausted = { type: 'exhausted' } as const

async function dueTo(count: number) {
  const [tenantId, id] = await newReceiver(harness)
  await harness.sql(eventsHappen, [tenantId, count])
  const claimed = await harness.stores.deliveries.claimDue(everything)
  expect(claimed).toHaveLength(count)
  return { tenantId, id, claimed }
}

describe.each(cuts)('a connection that is lost during a record, %s,', (when) => {
  test('records each attempt once and returns recorded', async () => {
    await open()
    const { tenantId, id, claimed } = await dueTo(3)
    const decisions = [{ type: 'delivered' }, { type: 'retry', inMs: 60_000 }, exhausted] as const
    const cut = proxy.cutNext('record_attempts', when)
    const seen = await Promise.all(
      decisions.map((decision, n) => {
        const each = claimed[n]
        if (!each) throw new Error('three are due')
        return fragile.deliveries.record(attemptAt(each, decision))
      }),
    )
    await cut
    expect(seen.map(({ type }) => type)).toEqual(['recorded', 'recorded', 'recorded'])
    const { items } = await harness.stores.deliveries.list(tenantId, id, { limit: 9 })
    expect(items.map(({ attempts }) => attempts.length)).toEqual([1, 1, 1])
    expect(items.map(({ status }) => status).toSorted()).toEqual(['delivered', 'exhausted', 'pending'])
    const endpoint = (await harness.stores.webhooks.get(tenantId, id))?.endpoint
    expect(endpoint?.consecutiveFailures).toBe(1)
    expect(await recordAll(fragile.deliveries, claimed, exhausted)).toEqual(claimed.map(() => ({ type: 'stale' })))
  })

  test('records each part of a run once and returns recorded', async () => {
    await open()
    const { tenantId, id, claimed } = await dueTo(5)
    const cut = proxy.cutNext('record_runs', when)
    const seen = await recordAll(fragile.deliveries, claimed, { type: 'delivered' })
    await cut
    expect(seen).toEqual(claimed.map(() => ({ type: 'recorded', consecutiveFailures: 0, hasPaused: false })))
    const { items } = await harness.stores.deliveries.list(tenantId, id, { limit: 9 })
    expect(items.map(({ attempts }) => attempts.length)).toEqual(claimed.map(() => 1))
    expect(await harness.stores.webhooks.queued(tenantId, id)).toBe(0)
  })

  test('returns hasPaused for the attempt that paused the endpoint, and for no other', async () => {
    await open()
    const { tenantId, id, claimed } = await dueTo(7)
    const cut = proxy.cutNext('record_attempts', when)
    const seen: RecordedAttempt[] = await recordAll(fragile.deliveries, claimed, exhausted)
    await cut
    expect(seen.map((each) => each.type === 'recorded' && each.hasPaused)).toEqual([
      false,
      false,
      false,
      false,
      true,
      false,
      false,
    ])
    const endpoint = (await harness.stores.webhooks.get(tenantId, id))?.endpoint
    expect(endpoint).toMatchObject({ status: 'paused', consecutiveFailures: 7 })
  })
})

test('an attempt that cannot be recorded fails alone', async () => {
  await open()
  const { claimed } = await dueTo(3)
  const [first, bad, last] = claimed
  if (!first || !bad || !last) throw new Error('three are due')
  const wrong = { ...bad, claim: { ...bad.claim, eventId: 'no id' } }
  const seen = await Promise.allSettled(
    [first, wrong, last].map((each) => fragile.deliveries.record(attemptAt(each, exhausted))),
  )
  expect(seen.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('an excerpt of any characters is read back unchanged', async () => {
  await open()
  const { tenantId, claimed } = await dueTo(1)
  const [only] = claimed
  if (!only) throw new Error('one is due')
  const record = attemptAt(only, exhausted)
  await fragile.deliveries.record(record)
  const delivery = await fragile.deliveries.get(tenantId, only.claim)
  expect(delivery?.attempts).toEqual([record.attempt])
})

test('during a database outage every method throws Unavailable', async () => {
  await open()
  const { tenantId, id, claimed } = await dueTo(1)
  const [only] = claimed
  if (!only) throw new Error('one is due')
  await proxy.shut()
  const { deliveries } = fragile
  const calls = await Promise.allSettled([
    deliveries.record(attemptAt(only, exhausted)),
    deliveries.claimDue(everything),
    deliveries.enqueue(everything),
    deliveries.claim(only.claim, 30),
    deliveries.requeue([only.claim]),
    deliveries.resend(tenantId, only.claim),
    fragile.webhooks.remove(tenantId, id),
    fragile.webhooks.queued(tenantId, id),
    fragile.events.get(tenantId, only.claim.eventId),
  ])
  for (const call of calls) expect(call).toMatchObject({ status: 'rejected', reason: expect.any(Unavailable) })
})
