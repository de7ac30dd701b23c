import { type ApiKey, type Quote, usdt } from '@quipu/core'
import { newKey, someInstant, someOperator } from '@quipu/contracts'
import { beforeAll, expect, test } from 'vitest'
import { sendBatch, withoutReadBack } from '../test/send-batch.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { insertQuotesProtocol, insertResolutionsProtocol } from './quote-commits.ts'

const harness = useStoreHarness()
const uuid = (): string => harness.ids.uuid(someInstant)
const withoutInstants = ({ createdAt: _at, expiresAt: _until, ...draft }: Quote) => ({ ...draft, id: uuid() })
/** The draft of a quote of each of two tenants, and a revoked key of the first. */
let drafts: ReturnType<typeof withoutInstants>[]
let revoked: ApiKey
beforeAll(async () => {
  const tenants = [await harness.newWallet(usdt(0n)), await harness.newWallet(usdt(0n))] as const
  drafts = await Promise.all(tenants.map(async (id) => withoutInstants(await harness.newQuote(id))))
  revoked = newKey(harness, tenants[0])
  await harness.stores.apiKeys.issue(revoked, someOperator)
  await harness.stores.apiKeys.revoke(revoked, someOperator)
})

test('one batch has quotes and resolutions of several tenants, each with its own result', async () => {
  const [first, second] = drafts
  if (!first || !second) throw new Error('two tenants were made')
  const of = (draft: typeof first, lifeSeconds: number, keyId: string | null = null) => ({
    draft: { ...draft, id: uuid() },
    lifeSeconds,
    keyId,
  })
  const quotes = [of(first, 15), of(first, 60, revoked.id), of(second, 300), of(second, 60, revoked.id)]
  const results = await sendBatch(harness.sql, insertQuotesProtocol(withoutReadBack), quotes)
  const dates = { createdAt: expect.any(Date), expiresAt: expect.any(Date) }
  expect(results).toEqual([dates, 'not_allowed', dates, 'not_allowed'])
  for (const [place, { draft }] of quotes.entries()) {
    const found = await harness.stores.quotes.find(draft.tenantId, draft.id)
    expect(found?.quote).toEqual(place % 2 === 0 ? { ...draft, ...Object(results[place]) } : undefined)
  }
  const read = await harness.newResolution(first.tenantId)
  const resolutions = [
    { resolution: { ...read, id: 'qrr_1' }, keyId: null },
    { resolution: { ...read, id: 'qrr_2' }, keyId: revoked.id },
    { resolution: { ...read, id: 'qrr_3', tenantId: second.tenantId, amount: null }, keyId: null },
  ]
  const protocol = insertResolutionsProtocol(withoutReadBack)
  expect(await sendBatch(harness.sql, protocol, resolutions)).toEqual(['committed', 'not_allowed', 'committed'])
  const found = resolutions.map(({ resolution: { tenantId, id } }) => harness.stores.resolutions.find(tenantId, id))
  const [one, , three] = resolutions
  expect(await Promise.all(found)).toEqual([one?.resolution, undefined, three?.resolution])
})

test('a quote at a false price fails alone, whatever is written beside it', async () => {
  const insert = (draft: (typeof drafts)[number]) => harness.stores.quotes.insert({ ...draft, id: uuid() }, 60, null)
  const [first] = drafts
  if (!first) throw new Error('two tenants were made')
  const results = await Promise.allSettled([
    ...drafts.map(insert),
    insert({ ...first, source: usdt(first.source.minor + 1n) }),
    ...drafts.map(insert),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  expect(String(Object(results[2]).reason)).toContain('does not add up')
})
