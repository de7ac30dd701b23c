import { describe, expect, test } from 'vitest'
import { type ConsoleSession, endedSession, sessionFingerprint, signedIn, signedOut } from '@quipu/core/operator'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { tokenHashOf, credentialOf, originOf } from '../../fixtures/proposal/operators.ts'

type Needed = 'consoleSessions' | 'operatorTokens' | 'audit'

const [hash, other] = ['5e'.repeat(32), '5f'.repeat(32)]
const hours = (count: number): Date => new Date(someInstant.getTime() + count * 3_600_000)
const tokenHash = tokenHashOf('ben')
const by = credentialOf('ben')
const from = { address: '192.0.2.7' }
const browser = 'Mozilla/5.0 ñ'
const session = { hash, by, browser, at: someInstant, expiresAt: hours(8) }
/** Longer than any session here. */
const idleMs = 24 * 3_600_000

const openedOf = (result: ConsoleSession | string): ConsoleSession => {
  if (typeof result === 'string') throw new Error(result)
  return result
}

/** The contract of a `ConsoleSessionStore`. The harness starts with `testOperatorTokens`. */
export function consoleSessionStoreContract(name: string, open: OpenHarness<Needed>): void {
  describe(`console session store in ${name}`, () => {
    const w = useWorld(open, 'each')

    test('a session acts with its token until it ends or expires', async () => {
      const { consoleSessions, operatorTokens } = w
      const token = await operatorTokens.authenticate(tokenHash, someInstant)
      const opened = await consoleSessions.open(session)
      expect(opened).toEqual({
        token,
        tokenHash,
        expiresAt: hours(8),
        origin: 'token',
        hasSecondFactor: false,
        seenAt: someInstant,
      })
      expect(await consoleSessions.authenticate(hash, hours(7.9), idleMs)).toEqual(opened)
      expect(await consoleSessions.authenticate(hash, hours(8), idleMs)).toBeUndefined()
      expect(await consoleSessions.authenticate(other, someInstant, idleMs)).toBeUndefined()
      expect(await consoleSessions.end(other, from, someInstant)).toBe(false)
      expect(await consoleSessions.end(hash, from, hours(1))).toBe(true)
      expect(await consoleSessions.end(hash, from, hours(2))).toBe(false)
      expect(await consoleSessions.authenticate(hash, hours(1), idleMs)).toBeUndefined()
    })

    test('the audit log has the begin and the end of a session', async () => {
      const opened = openedOf(await w.consoleSessions.open(session))
      await w.consoleSessions.end(hash, from, hours(1))
      const origin = { ...originOf('ben'), session: sessionFingerprint(hash) }
      const query = { subject: opened.token.id, limit: 2 }
      expect(await auditEntries(w.audit, query)).toEqual([
        signedOut(opened.token, { ...origin, at: hours(1) }),
        signedIn(opened.token, { ...origin, at: someInstant }, hours(8)),
      ])
    })

    test('no session is opened without an active token', async () => {
      const { consoleSessions } = w
      const unknown = { ...session, by: credentialOf('nobody') }
      expect(await consoleSessions.open(unknown)).toBe('unauthorized')
      expect(await consoleSessions.authenticate(hash, someInstant, idleMs)).toBeUndefined()
    })

    test('a revoked token ends its sessions', async () => {
      const { consoleSessions, operatorTokens } = w
      const opened = openedOf(await consoleSessions.open(session))
      await operatorTokens.revoke(opened.token.id, by, hours(1))
      expect(await consoleSessions.authenticate(hash, hours(1), idleMs)).toBeUndefined()
      expect(await consoleSessions.open({ ...session, hash: other })).toBe('unauthorized')
    })

    test('a session ends no later than its token, and lasts at most 12 hours', async () => {
      const { consoleSessions, operatorTokens } = w
      const token = await operatorTokens.authenticate(tokenHash, someInstant)
      const end = token?.expiresAt.getTime() ?? 0
      const [at, after] = [new Date(end - 3_600_000), new Date(end + 3_600_000)]
      const opened = openedOf(await consoleSessions.open({ ...session, at, expiresAt: after }))
      expect(opened.expiresAt).toEqual(token?.expiresAt)
      const long = { ...session, hash: other, expiresAt: hours(12.1) }
      await expect(consoleSessions.open(long)).rejects.toThrow()
    })

    test('the next sign-in removes sessions that have expired, and no audit entry', async () => {
      const { consoleSessions } = w
      const opened = openedOf(await consoleSessions.open(session))
      const next = { hash: other, by, browser, at: hours(7.9), expiresAt: hours(9) }
      await consoleSessions.open(next)
      // A stored row refuses its hash: it is still there a moment before its end, and not from then on.
      const again = { ...session, at: hours(7.9), expiresAt: hours(10) }
      await expect(consoleSessions.open(again)).rejects.toThrow()
      openedOf(await consoleSessions.open({ ...again, at: hours(8) }))
      expect(await consoleSessions.authenticate(other, hours(8), idleMs)).toBeDefined()
      const query = { subject: opened.token.id, limit: 5 }
      const actions = (await auditEntries(w.audit, query)).map(({ action }) => action)
      expect(actions).toEqual(['console.sign_in', 'console.sign_in', 'console.sign_in'])
    })

    test('two sessions cannot have one secret', async () => {
      const { consoleSessions } = w
      await consoleSessions.open(session)
      await expect(consoleSessions.open(session)).rejects.toThrow()
    })

    test('a session ends without the person’s use, and each use begins the time again', async () => {
      const { consoleSessions } = w
      await consoleSessions.open(session)
      const isOpen = async (at: Date) => (await consoleSessions.authenticate(hash, at, 1_800_000)) !== undefined
      expect([await isOpen(hours(0.49)), await isOpen(hours(0.5))]).toEqual([true, false])
      await consoleSessions.touch(hash, hours(0.4))
      await consoleSessions.touch(hash, hours(0.3)) // A later request of an earlier instant.
      expect([await isOpen(hours(0.89)), await isOpen(hours(0.9))]).toEqual([true, false])
      expect((await consoleSessions.authenticate(hash, hours(0.5), idleMs))?.seenAt).toEqual(hours(0.4))
    })

    test('lists the live sessions newest first, of one person or all, in pages', async () => {
      const { consoleSessions } = w
      const first = openedOf(await consoleSessions.open(session))
      await consoleSessions.open({ ...session, hash: other, by: credentialOf('ana'), browser: null, at: hours(1) })
      const query = { now: hours(1), idleMs, limit: 10 }
      const { items } = await consoleSessions.list(query)
      expect(items.map(({ person }) => person)).toEqual(['ana', 'ben'])
      expect(items[1]).toEqual({
        id: sessionFingerprint(hash),
        tokenId: first.token.id,
        person: 'ben',
        role: 'admin',
        origin: 'token',
        hasSecondFactor: false,
        address: by.address,
        browser,
        createdAt: someInstant,
        seenAt: someInstant,
        expiresAt: hours(8),
      })
      expect((await consoleSessions.list({ ...query, person: 'ben' })).items).toEqual([items[1]])
      const page = await consoleSessions.list({ ...query, limit: 1 })
      expect((await consoleSessions.list({ ...query, ...(page.next && { after: page.next }) })).items).toEqual([
        items[1],
      ])
      expect((await consoleSessions.list({ ...query, idleMs: 60_000 })).items).toEqual([items[0]])
      await consoleSessions.end(other, from, hours(1))
      expect((await consoleSessions.list({ ...query, now: hours(8) })).items).toEqual([])
    })

    test('a person ends an own session, an admin any, once and with an audit entry', async () => {
      const { consoleSessions } = w
      const { token } = openedOf(await consoleSessions.open(session))
      const id = sessionFingerprint(hash)
      expect(await consoleSessions.endListed(id, credentialOf('nobody'), hours(1))).toBe('unauthorized')
      expect(await consoleSessions.endListed(id, credentialOf('ana'), hours(1))).toBe('stale')
      expect(await consoleSessions.endListed(id, credentialOf('ada'), hours(1))).toBe('committed')
      expect(await consoleSessions.endListed(id, by, hours(1))).toBe('stale')
      expect(await consoleSessions.authenticate(hash, hours(1), idleMs)).toBeUndefined()
      const [entry] = await auditEntries(w.audit, { subject: token.id, limit: 1 })
      expect(entry).toEqual(endedSession({ id, tokenId: token.id }, { ...originOf('ada'), at: hours(1) }))
      await consoleSessions.open({ ...session, hash: other })
      expect(await consoleSessions.endListed(sessionFingerprint(other), by, hours(1))).toBe('committed')
    })
  })
}
