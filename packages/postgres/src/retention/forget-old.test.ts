import { usdt } from '@quipu/core'
import { requestLogDays } from '@quipu/core/operator'
import { laterInstant, credentialOf, someInstant } from '@quipu/contracts'
import { expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { forgetOld, unusedDays } from './forget-old.ts'

let clock = someInstant
const harness = useStoreHarness({ clockOverride: () => clock })

/** The UTC day this number of days after `someInstant`. */
const dayAfter = (days: number): string =>
  new Date(someInstant.getTime() + days * 86_400_000).toISOString().slice(0, 10)

test('unused quotes, resolutions and notes are deleted once they are old enough, and what a payout used stays', async () => {
  const { stores, ids } = harness
  const tenantId = await harness.newWallet(usdt(9_000n))
  const quotes = await Promise.all(Array.from({ length: 5 }, () => harness.newQuote(tenantId, { source: usdt(1n) })))
  const resolution = await harness.newResolution(tenantId)
  for (const quote of quotes.slice(0, 2)) await harness.newPayout(quote)
  const found = async () => {
    const rows = await Promise.all(quotes.map(({ id }) => stores.quotes.find(tenantId, id)))
    return [rows.filter(Boolean).length, await stores.resolutions.find(tenantId, resolution.id)]
  }
  const forget = (days: number) => forgetOld(stores.processUrl, dayAfter(days))
  expect(await forget(unusedDays)).toEqual({ quotes: 0, resolutions: 0, notes: 0, requestDays: 0 })
  expect(await found()).toEqual([5, resolution])
  expect(await forget(unusedDays + 1)).toEqual({ quotes: 3, resolutions: 1, notes: 0, requestDays: 0 })
  expect(await found()).toEqual([2, undefined])
  const note = (at: Date) =>
    stores.cases.note(ids.next('nte', at), ids.next('dep', at), 'text', credentialOf('ana'), at)
  const old = new Date(someInstant.getTime() - 730 * 86_400_000)
  for (const at of [old, someInstant]) expect(await note(at)).toBe('committed')
  expect(await forget(unusedDays + 1)).toEqual({ quotes: 0, resolutions: 0, notes: 1, requestDays: 0 })
})

test('whatever day a process names, nothing younger is deleted', async () => {
  clock = laterInstant
  const tenantId = await harness.newWallet(usdt(0n))
  const quote = await harness.newQuote(tenantId)
  const day = '2126-12-31'
  expect(await forgetOld(harness.stores.processUrl, dayAfter(unusedDays + 1))).toMatchObject({ quotes: 0 })
  expect(await forgetOld(harness.stores.processUrl, day)).toMatchObject({ quotes: 0 })
  expect(await harness.stores.quotes.find(tenantId, quote.id)).toBeDefined()
})

test(`days of requests are dropped after ${requestLogDays} days, and what the default partition has of them`, async () => {
  clock = new Date()
  const { sql, stores, ids } = harness
  const ago = (days: number) => new Date(clock.getTime() - days * 86_400_000)
  const names = [requestLogDays, requestLogDays + 1].map(
    (days) => `request_log_${ago(days).toISOString().slice(0, 10).replaceAll('-', '')}`,
  )
  for (const [n, partition] of names.entries()) {
    const bounds = [requestLogDays + n, requestLogDays - 1 + n].map(
      (days) => `'${ago(days).toISOString().slice(0, 10)}T00:00:00Z'`,
    )
    await sql(
      `create table quipu.${partition} partition of quipu.request_log for values from (${bounds.join(') to (')})`,
    )
  }
  const rows = [-1, 0, 1, 10]
    .map((more) => requestLogDays + more)
    .map((days) => ({
      id: ids.uuid(ago(days)),
      createdAt: ago(days),
      tenantId: 'ten_1',
      keyId: 'key_1',
      requestId: 'one',
      method: 'GET',
      path: '/v1/wallets',
      status: 200,
      code: null,
      address: '::1',
      durationMs: 1,
      bodyDigest: null,
      answerDigest: null,
    }))
  await stores.requests.record(rows)
  const today = clock.toISOString().slice(0, 10)
  expect(await forgetOld(stores.processUrl, today)).toMatchObject({ requestDays: 1 })
  const kept = await stores.requests.list('ten_1', { limit: 10 })
  expect(kept.items.map(({ id }) => id)).toEqual(rows.slice(0, 2).map(({ id }) => id))
  const left = await sql(
    `select to_regclass('quipu.${names[0]}') is null as young, to_regclass('quipu.${names[1]}') is null as old`,
  )
  expect(left).toEqual([{ young: false, old: true }])
})
