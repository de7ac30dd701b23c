import { approveAdjustment, newKey, someInstant, someOperator, credentialOf } from '@quipu/contracts'
import { type ApiKey, usdt } from '@quipu/core'
import { tenantNotice } from '@quipu/core/operator'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openOtherSession } from '../test/other-session.fixture.ts'
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

test('a key has its notice from seven days to a moment before it expires', async () => {
  const keys = [await issued({ expiresAt: later({ days: 8 }) })]
  await takeAll()
  step({ days: 1, ms: -1 })
  expect(await takeAll()).toEqual([])
  step({ ms: 1 })
  expect(await takeAll()).toEqual([['api_key.expires_soon', keys[0]?.id]])

  keys.push(await issued({ expiresAt: later({ days: 8 }) }))
  await takeAll()
  step({ days: 8 })
  expect(await takeAll()).toEqual([])
})

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

test('a claim does not wait for one that is under way, and finds nothing', async () => {
  const { id } = await issued()
  await using other = await openOtherSession(harness.stores.url)
  await other.sql('begin')
  await other.sql('select from quipu.notice_cursor for update')
  await harness.sql(`set lock_timeout = '5s'`)
  expect(await harness.sql('select * from quipu.claim_notice(60, $1)', [now])).toEqual([])
  await other.sql('rollback')
  expect((await take())?.key?.id).toBe(id)
})

test('a failed notice is due again at the instant of its retry, and the failure began at the first', async () => {
  await issued({ expiresAt: later({ days: 8 }) })
  await takeAll()
  step({ days: 1 })
  const { notices, backlog } = harness.stores
  const fail = async (inMs: number) => {
    const { claim } = (await notices.claim(60)) ?? expect.fail('no notice is due')
    expect(await notices.retry(claim, inMs)).toBe('committed')
  }
  await fail(30_000)
  step({ ms: 29_999 })
  expect(await notices.claim(60)).toBeUndefined()
  step({ ms: 1 })
  await fail(0)
  step({ minutes: 1 })
  expect((await backlog.read()).notices.oldestSeconds).toBe(90)
})

test('a contact whose address alone changes is notified at both', async () => {
  const tenant = await harness.newTenant()
  const { name } = tenant.technicalContact
  const technicalContact = { name, email: 'm@elsewhere.example' }
  const changed = { ...tenant, technicalContact, revision: 2 }
  await harness.stores.tenants.update(changed, 'tenant.update', someOperator)
  expect(await take()).toMatchObject({
    type: 'technical_contact.changed',
    recipients: [tenant.technicalContact, technicalContact],
  })
})

test('a later change of the contact leaves the recipient of a notice, also after a wallet adjustment', async () => {
  const tenant = await harness.newTenant()
  const key = newKey(harness, tenant.id)
  await harness.stores.apiKeys.issue(key, credentialOf('ada'))
  const author = { id: harness.ids.uuid(someInstant), tenantId: tenant.id, reason: 'r', actor: 'ana' }
  const adjustment = { ...author, direction: 'in', amount: usdt(5n) } as const
  await approveAdjustment(harness.stores, adjustment)
  expect(await harness.stores.wallets.adjust(adjustment)).toBe('committed')
  const technicalContact = { name: 'Mallory', email: 'm@elsewhere.example' }
  const changed = { ...tenant, technicalContact, revision: 2 }
  await harness.stores.tenants.update(changed, 'tenant.update', someOperator)
  expect(await take()).toMatchObject({ type: 'api_key.issued', recipients: [tenant.technicalContact] })
})

// The creation of the tenant is one entry more.
test('a claim passes 999 entries to the next one', async () => {
  await writeEntries(998)
  const { id } = await issued()
  expect((await take())?.key?.id).toBe(id)
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
