import { describe, expect, test } from 'vitest'
import { sessionFingerprint, signedIn, signedOut } from '@quipu/core/operator'
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
const session = { hash, by, at: someInstant, expiresAt: hours(8) }

/** The contract of a `ConsoleSessionStore`. The harness starts with `testOperatorTokens`. */
export function consoleSessionStoreContract(name: string, open: OpenHarness<Needed>): void {
  describe(`console session store in ${name}`, () => {
    const world = useWorld(open, 'each')

    test('a session acts with its token until it ends or expires', async () => {
      const { consoleSessions, operatorTokens } = world()
      const token = await operatorTokens.authenticate(tokenHash, someInstant)
      const opened = await consoleSessions.open(session)
      expect(opened).toEqual({ token, tokenHash, expiresAt: hours(8) })
      expect(await consoleSessions.authenticate(hash, hours(7.9))).toEqual(opened)
      expect(await consoleSessions.authenticate(hash, hours(8))).toBeUndefined()
      expect(await consoleSessions.authenticate(other, someInstant)).toBeUndefined()
      expect(await consoleSessions.end(other, from, someInstant)).toBe(false)
      expect(await consoleSessions.end(hash, from, hours(1))).toBe(true)
      expect(await consoleSessions.end(hash, from, hours(2))).toBe(false)
      expect(await consoleSessions.authenticate(hash, hours(1))).toBeUndefined()
    })

    test('the audit log has the begin and the end of a session', async () => {
      const w = world()
      const opened = await w.consoleSessions.open(session)
      if (!opened) throw new Error('no session was opened')
      await w.consoleSessions.end(hash, from, hours(1))
      const origin = { ...originOf('ben'), session: sessionFingerprint(hash) }
      const query = { subject: opened.token.id, limit: 2 }
      expect(await auditEntries(w.audit, query)).toEqual([
        signedOut(opened.token, { ...origin, at: hours(1) }),
        signedIn(opened.token, { ...origin, at: someInstant }, hours(8)),
      ])
    })

    test('no session is opened without an active token', async () => {
      const { consoleSessions } = world()
      const unknown = { ...session, by: credentialOf('nobody') }
      expect(await consoleSessions.open(unknown)).toBeUndefined()
      expect(await consoleSessions.authenticate(hash, someInstant)).toBeUndefined()
    })

    test('a revoked token ends its sessions', async () => {
      const { consoleSessions, operatorTokens } = world()
      const opened = await consoleSessions.open(session)
      await operatorTokens.revoke(opened?.token.id ?? '', by, hours(1))
      expect(await consoleSessions.authenticate(hash, hours(1))).toBeUndefined()
      expect(await consoleSessions.open({ ...session, hash: other })).toBeUndefined()
    })

    test('a session ends no later than its token, and lasts at most 12 hours', async () => {
      const { consoleSessions, operatorTokens } = world()
      const token = await operatorTokens.authenticate(tokenHash, someInstant)
      const end = token?.expiresAt.getTime() ?? 0
      const [at, after] = [new Date(end - 3_600_000), new Date(end + 3_600_000)]
      const opened = await consoleSessions.open({ ...session, at, expiresAt: after })
      expect(opened?.expiresAt).toEqual(token?.expiresAt)
      const long = { ...session, hash: other, expiresAt: hours(12.1) }
      await expect(consoleSessions.open(long)).rejects.toThrow()
    })

    test('the next sign-in removes sessions that have expired, and no audit entry', async () => {
      const w = world()
      const { consoleSessions } = w
      const opened = await consoleSessions.open(session)
      const next = { hash: other, by, at: hours(7.9), expiresAt: hours(9) }
      await consoleSessions.open(next)
      // A stored row refuses its hash: it is still there a moment before its end, and not from then on.
      const again = { ...session, at: hours(7.9), expiresAt: hours(10) }
      await expect(consoleSessions.open(again)).rejects.toThrow()
      expect(await consoleSessions.open({ ...again, at: hours(8) })).toBeDefined()
      expect(await consoleSessions.authenticate(other, hours(8))).toBeDefined()
      const query = { subject: opened?.token.id ?? '', limit: 5 }
      const actions = (await auditEntries(w.audit, query)).map(({ action }) => action)
      expect(actions).toEqual(['console.sign_in', 'console.sign_in', 'console.sign_in'])
    })

    test('two sessions cannot have one secret', async () => {
      const { consoleSessions } = world()
      await consoleSessions.open(session)
      await expect(consoleSessions.open(session)).rejects.toThrow()
    })
  })
}
