import { newKey, credentialOf } from '@quipu/contracts'
import { type ApiKey } from '@quipu/core'
import { tenantNotice } from '@quipu/core/operator'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'

/** How far a claim moves the two cursors, at the exact bounds. */
const harness = useStoreHarness({ clockOverride: () => now })
let now = new Date('2026-04-01T00:00:00.000Z')
// Each test begins in another month, with nothing due.
beforeEach(() => step({ days: 30 }))
beforeEach(async () => void (await takeAll()))
afterEach(async () => void (await takeAll()))

type Span = { readonly days?: number; readonly minutes?: number; readonly ms?: number }
const later = ({ days = 0, minutes = 0, ms = 0 }: Span): Date =>
  new Date(now.getTime() + (days * 1_440 + minutes) * 60_000 + ms)
const step = (span: Span): void => void (now = later(span))

const issued = async (terms: Partial<ApiKey> = {}): Promise<ApiKey> => {
  const { id } = await harness.newTenant()
  const key = { ...newKey(harness, id), ...terms }
  expect(await harness.stores.apiKeys.issue(key, credentialOf('ada'))).toBe('committed')
  return key
}

/** Claims and accepts the next notice. */
const take = async () => {
  const claimed = await harness.stores.notices.claim(60)
  if (!claimed) return undefined
  expect(await harness.stores.notices.accept(claimed.claim)).toBe('committed')
  return tenantNotice(claimed.source)
}
async function takeAll(): Promise<readonly (readonly [type: string, keyId: string | undefined])[]> {
  const notice = await take()
  return notice ? [[notice.type, notice.key?.id], ...(await takeAll())] : []
}

const writeEntries = (count: number) =>
  harness.sql(
    `select quipu.write_audit_entries(array_agg(
       quipu.audit_entry(row('ana', null, null, null, null), 'operator.refuse', null, 's', now(), null, null)))
     from generate_series(1, $1)`,
    [count],
  )
/** Changes with every write of the row. */
const version = async () => (await harness.sql('select xmin::text from quipu.notice_cursor'))[0]

test('a key that nobody has approved has no notice of its expiry', async () => {
  const { id } = await issued({ expiresAt: later({ days: 8 }) })
  await takeAll()
  // As `propose_api_key` inserts it.
  await harness.sql(
    `insert into quipu.api_key (id, tenant_id, name, prefix, last_four, hash, scopes, created_at, expires_at)
     select 'proposed', tenant_id, name, prefix, last_four, repeat('a', 64), scopes, created_at, expires_at
     from quipu.api_key where id = $1`,
    [id],
  )
  step({ days: 2 })
  expect(await takeAll()).toEqual([['api_key.expires_soon', id]])
})

test('a key that expires at the instant up to which the cursor has moved has its notice', async () => {
  const early = newKey(harness, (await harness.newTenant()).id)
  const noticed = await issued({ expiresAt: later({ days: 8 }) })
  expect(early.id < noticed.id).toBe(true)
  await takeAll()
  step({ days: 1 })
  expect(await takeAll()).toEqual([['api_key.expires_soon', noticed.id]])
  step({ days: 1 })
  expect(await takeAll()).toEqual([]) // moves the cursor to seven days from now
  const { id } = await issued({ ...early, expiresAt: later({ days: 7 }) })
  expect(await takeAll()).toEqual([
    ['api_key.issued', id],
    ['api_key.expires_soon', id],
  ])
})

test('the cursor of the expiries moves once an hour, and is not written otherwise', async () => {
  const first = await version()
  step({ minutes: 60 })
  expect(await take()).toBeUndefined()
  expect(await version()).toEqual(first)
  step({ ms: 1 })
  expect(await take()).toBeUndefined()
  expect(await version()).not.toEqual(first)
  // It has moved to seven days from now: this key needs no second notice.
  const { id } = await issued({ expiresAt: later({ days: 7, ms: -1 }) })
  expect(await takeAll()).toEqual([['api_key.issued', id]])
})

test('a claim passes no more than 1,000 entries', async () => {
  await writeEntries(999)
  const next = await issued()
  expect(await take()).toBeUndefined()
  expect((await take())?.key?.id).toBe(next.id)
})

test('a claim for a key that expires passes the entries before it, too', async () => {
  const { id } = await issued({ expiresAt: later({ days: 8 }) })
  await takeAll()
  step({ days: 1 })
  await writeEntries(1_000)
  const next = await issued()
  expect((await take())?.key?.id).toBe(id)
  expect((await take())?.key?.id).toBe(next.id)
})
