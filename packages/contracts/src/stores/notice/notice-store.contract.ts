import { describe, expect, test } from 'vitest'
import type { ApiKey } from '@quipu/core'
import { noticedKeyActions, type ClaimedNotice, tenantNotice, type TenantNotice } from '@quipu/core/operator'
import { newKey } from '../../fixtures/new-key.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { someOperator } from '../../fixtures/builders.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { tokenHashOf } from '../../fixtures/proposal/operators.ts'

type Needed = 'tenants' | 'apiKeys' | 'audit' | 'notices' | 'backlog'

const [hour, day] = [3_600, 86_400]
const by = { tokenHash: tokenHashOf('ada'), at: someInstant }

/** The contract of a `NoticeStore`. */
export function noticeStoreContract(name: string, open: OpenHarness<Needed>): void {
  describe(`notice store in ${name}`, () => {
    const w = useWorld(open, 'each')

    test('claims each event of a key once it is accepted, in the order of the audit log', async () => {
      const tenant = await w.newTenant()
      const first = await issued(w, tenant.id)
      const second = await issued(w, tenant.id, { replaces: { keyId: first.id, overlapSeconds: 86_400 } })
      const [addresses, others] = [['192.0.2.0/24'], ['2001:db8::/32', '198.51.100.7']]
      await w.apiKeys.setAllowedAddresses(second, addresses, by)
      await w.apiKeys.setAllowedAddresses(second, others, by)
      await w.apiKeys.revoke(second, someOperator)
      const notices = await takeAll(w)
      expect(notices.map(({ type, key }) => [type, key?.id])).toEqual([
        ['api_key.issued', first.id],
        ['api_key.issued', second.id],
        ['api_key.rotated', first.id],
        ['api_key.addresses_changed', second.id],
        ['api_key.addresses_changed', second.id],
        ['api_key.revoked', second.id],
      ])
      const ends = new Date(second.createdAt.getTime() + 24 * hour * 1_000)
      expect(notices.map(({ key }) => key?.expiresAt)).toEqual([null, null, ends, null, null, null])
      const allowed = notices.map(({ key }) => key?.allowedAddresses)
      expect(allowed).toEqual([null, null, null, addresses, others, others])
      expect(notices[1]?.key?.replaces).toBe(first.id)
      expect(notices[2]?.key?.replacedBy).toBe(second.id)
      const { id, name: keyName, prefix, lastFour, scopes } = first
      expect(notices[0]).toMatchObject({
        tenantId: tenant.id,
        occurredAt: first.createdAt,
        recipients: [tenant.technicalContact],
        key: { id, name: keyName, prefix, lastFour, scopes, replaces: null, replacedBy: null },
      })
      expect(new Set(notices.map((each) => each.id)).size).toBe(6)
      expect(await w.notices.claim(60)).toBeUndefined()
    })

    test('a lost lease repeats the notice under a new claim, and refuses the old one', async () => {
      const key = await issued(w, (await w.newTenant()).id)
      await w.apiKeys.revoke(key, someOperator)
      const lost = await claimed(w)
      expect(await w.notices.claim(60)).toBeUndefined()
      await w.advance(61)
      const again = await claimed(w)
      expect(tenantNotice(again.source)).toEqual(tenantNotice(lost.source))
      expect(again.failedAttempts).toBe(0)
      expect(await w.notices.accept(lost.claim)).toBe('stale')
      expect(await w.notices.retry(lost.claim, 0)).toBe('stale')
      expect(await w.notices.accept(again.claim)).toBe('committed')
      expect(await w.notices.accept(again.claim)).toBe('stale')
      expect((await takeAll(w)).map(({ type }) => type)).toEqual(['api_key.revoked'])
    })

    test('a failed attempt pauses all notices, and is counted until one is accepted', async () => {
      const key = await issued(w, (await w.newTenant()).id)
      await w.apiKeys.revoke(key, someOperator)
      const types = []
      for (const failedAttempts of [0, 1, 2]) {
        const attempt = await claimed(w)
        types.push(tenantNotice(attempt.source).type)
        expect(attempt.failedAttempts).toBe(failedAttempts)
        expect(await w.notices.retry(attempt.claim, 30_000)).toBe('committed')
        expect(await w.notices.retry(attempt.claim, 0)).toBe('stale')
        await w.advance(28)
        expect(await w.notices.claim(60)).toBeUndefined()
        await w.advance(3)
      }
      expect(new Set(types)).toEqual(new Set(['api_key.issued']))
      await w.notices.accept((await claimed(w)).claim)
      expect((await claimed(w)).failedAttempts).toBe(0)
    })

    test('a changed contact is notified at both addresses, and of what happened at its time', async () => {
      const tenant = await w.newTenant()
      const key = await issued(w, tenant.id)
      const update = (change: object, revision: number) =>
        w.tenants.update({ ...tenant, ...change, revision }, 'tenant.update', someOperator)
      const mallory = { name: 'Mallory', email: 'm@elsewhere.example' }
      const renamed = { ...mallory, name: 'M. Allory' }
      expect(await update({ technicalContact: mallory }, 2)).toBe('committed')
      expect(await update({ technicalContact: renamed }, 3)).toBe('committed')
      expect(await update({ technicalContact: renamed, legalName: 'Otra S.A.' }, 4)).toBe('committed')
      await w.apiKeys.revoke(key, someOperator)
      const notices = await takeAll(w)
      const old = tenant.technicalContact
      expect(notices.map(({ type, recipients }) => [type, recipients])).toEqual([
        ['api_key.issued', [old]],
        ['technical_contact.changed', [old, mallory]],
        ['technical_contact.changed', [renamed]],
        ['api_key.revoked', [renamed]],
      ])
      expect(notices[1]).toMatchObject({ tenantId: tenant.id, key: null })
    })

    test('a key has one notice of its expiry, seven days before, unless it is revoked', async () => {
      const tenant = await w.newTenant()
      const now = await nowOf(w)
      const expiring = (seconds: number) =>
        issued(w, tenant.id, { expiresAt: new Date(now.getTime() + seconds * 1_000) })
      const keys = [await expiring(10 * day), await expiring(9 * day), await expiring(10 * day)]
      const revoked = await expiring(9 * day)
      await w.apiKeys.revoke(revoked, someOperator)
      await takeAll(w)
      await w.advance(2 * day - hour)
      expect(await takeAll(w)).toEqual([])
      await w.advance(hour + 2)
      const [notice, ...others] = await takeAll(w)
      expect(others).toEqual([])
      const [, first] = keys
      expect(notice).toMatchObject({
        type: 'api_key.expires_soon',
        tenantId: tenant.id,
        recipients: [tenant.technicalContact],
        occurredAt: new Date(now.getTime() + 2 * day * 1e3),
        key: { id: first?.id, expiresAt: first?.expiresAt },
      })
      await w.advance(day)
      const later = (await takeAll(w)).map(({ key }) => key?.id)
      expect(later).toEqual([keys[0]?.id, keys[2]?.id].toSorted())
      await w.advance(8 * day)
      expect(await takeAll(w)).toEqual([])
    })

    test('a lost lease repeats the notice of an expiry, with the same id', async () => {
      const expiresAt = new Date((await nowOf(w)).getTime() + 8 * day * 1_000)
      await issued(w, (await w.newTenant()).id, { expiresAt })
      await takeAll(w)
      await w.advance(day + 2)
      const lost = tenantNotice((await claimed(w)).source)
      await w.advance(61)
      const [again] = await takeAll(w)
      expect(again).toEqual(lost)
    })

    test('a key issued for less than seven days has the notice of its issue only', async () => {
      await takeAll(w)
      const now = await nowOf(w)
      const expiresAt = new Date(now.getTime() + 3 * day * 1_000)
      await issued(w, (await w.newTenant()).id, { expiresAt })
      await w.advance(day)
      const notices = await takeAll(w)
      expect(notices.map(({ type, key }) => [type, key?.expiresAt])).toEqual([['api_key.issued', expiresAt]])
    })

    test('the backlog counts entries whose notices were not accepted, and the time of failures', async () => {
      const now = await nowOf(w)
      const expiresAt = new Date(now.getTime() + 8 * day * 1_000)
      const key = await issued(w, (await w.newTenant()).id, { expiresAt })
      const other = await issued(w, key.tenantId)
      await w.apiKeys.revoke(other, { ...someOperator, at: now })
      const waiting = async () => {
        const { count, oldestSeconds } = (await w.backlog.read()).notices
        return { count, minutes: Math.floor(oldestSeconds / 60) }
      }
      expect((await waiting()).count).toBe(3)
      await w.notices.accept((await claimed(w)).claim)
      await w.notices.accept((await claimed(w)).claim)
      await w.advance(60)
      expect(await waiting()).toEqual({ count: 1, minutes: 1 })
      await takeAll(w)
      expect(await waiting()).toEqual({ count: 0, minutes: 0 })
      await w.advance(day + 2)
      await w.notices.retry((await claimed(w)).claim, 0)
      await w.advance(120)
      expect(await waiting()).toEqual({ count: 0, minutes: 2 })
      await takeAll(w)
      expect(await waiting()).toEqual({ count: 0, minutes: 0 })
    })

    test('notices are of these actions of the audit log', () => {
      expect(noticedKeyActions.toSorted()).toEqual([
        'api_key.issue',
        'api_key.revoke',
        'api_key.rotate',
        'api_key.set_addresses',
        'tenant.resume',
        'tenant.suspend',
      ])
    })
  })
}

async function issued(w: World<Needed>, tenantId: string, terms: Partial<ApiKey> = {}): Promise<ApiKey> {
  const made = { ...newKey(w, tenantId), ...terms }
  const key = { ...made, activatedAt: made.createdAt }
  expect(await w.apiKeys.issue(key, by)).toBe('committed')
  return key
}

async function claimed({ notices }: World<Needed>): Promise<ClaimedNotice> {
  const found = await notices.claim(60)
  if (!found) throw new Error('no notice is due')
  return found
}

/** Claims and accepts every notice that is due. */
async function takeAll({ notices }: World<Needed>): Promise<readonly TenantNotice[]> {
  const taken: TenantNotice[] = []
  for (;;) {
    const next = await notices.claim(60)
    if (!next) return taken
    taken.push(tenantNotice(next.source))
    expect(await notices.accept(next.claim)).toBe('committed')
  }
}

/** The store's clock: the age of an audit entry of a known instant shows it. */
async function nowOf(w: World<Needed>): Promise<Date> {
  await issued(w, (await w.newTenant()).id)
  const { oldestSeconds } = (await w.backlog.read()).notices
  await takeAll(w)
  return new Date(Math.round(someInstant.getTime() + oldestSeconds * 1_000))
}
