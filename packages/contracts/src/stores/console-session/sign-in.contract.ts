import { describe, expect, test } from 'vitest'
import {
  codeAttemptsMax,
  factorConfirmed,
  factorRemoved,
  identityProvider,
  sessionFingerprint,
  signedIn,
  signInMac,
  usedCode,
} from '@quipu/core/operator'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { credentialOf, originOf, testSignInKeys as keys } from '../../fixtures/proposal/operators.ts'

type Needed = 'consoleSessions' | 'secondFactors' | 'operatorTokens' | 'audit' | 'proposals'

const [hash, other] = ['5e'.repeat(32), '5f'.repeat(32)]
const minutes = (count: number): Date => new Date(someInstant.getTime() + count * 60_000)
const idleMs = 24 * 3_600_000
const about = { browser: null, at: someInstant, expiresAt: minutes(480) }
const proof = {
  ...about,
  hash,
  tokenId: 'opt_0SIGNIN000000000000000000A',
  tokenHash: 'a1'.repeat(32),
  person: 'carla',
  role: 'operator',
  address: '192.0.2.9',
} as const
const signed = (over: Partial<typeof proof> = {}) => ({
  ...proof,
  ...over,
  mac: signInMac(keys, { ...proof, ...over }),
})
const foreign: typeof keys = [{ id: keys[0].id, key: new Uint8Array(32).fill(8) }]

/** The contract of sign-ins that a process vouches for: `ConsoleSessionStore.signIn` and `SecondFactorStore`. */
export function signInContract(name: string, open: OpenHarness<Needed>): void {
  describe(`sign-ins in ${name}`, () => {
    const w = useWorld(open, 'each')

    test('a signed one opens a session with a token of its own, which ends with it', async () => {
      const session = await w.consoleSessions.signIn(signed())
      expect(session).toMatchObject({ origin: 'oidc', hasSecondFactor: true, expiresAt: minutes(480) })
      const token = await w.operatorTokens.find(proof.tokenId)
      expect(token).toMatchObject({ person: 'carla', role: 'operator', createdBy: identityProvider })
      expect(token?.expiresAt).toEqual(minutes(480))
      expect(await w.consoleSessions.authenticate(hash, minutes(1), idleMs)).toEqual(session)
      const origin = { actor: 'carla', tokenId: proof.tokenId, address: proof.address }
      const author = { ...origin, session: sessionFingerprint(hash), at: someInstant }
      const entries = await auditEntries(w.audit, { subject: proof.tokenId, limit: 2 })
      expect(entries).toEqual(token && [signedIn(token, author, minutes(480))])
      await w.operatorTokens.revoke(proof.tokenId, credentialOf('ben'), minutes(2))
      expect(await w.consoleSessions.authenticate(hash, minutes(2), idleMs)).toBeUndefined()
    })

    const changed = { person: 'ana', role: 'admin', tokenHash: other, hash: other, expiresAt: minutes(481) } as const
    test.each([
      ...Object.entries(changed).map(
        ([member, value]) => [`another ${member}`, { ...signed(), [member]: value }] as const,
      ),
      ['another key', { ...proof, mac: signInMac(foreign, proof) }] as const,
      ['an unknown key', { ...proof, mac: signInMac([{ ...keys[0], id: '9' }], proof) }] as const,
      ['no MAC', { ...proof, mac: '' }] as const,
      ['a past end', signed({ expiresAt: someInstant })] as const,
    ])('one with %s is refused, and writes nothing', async (_, proven) => {
      expect(await w.consoleSessions.signIn(proven)).toBeUndefined()
      expect(await w.operatorTokens.find(proof.tokenId)).toBeUndefined()
      expect(await auditEntries(w.audit, { limit: 5 })).toEqual([])
    })

    test('one serves once', async () => {
      const { consoleSessions } = w
      await consoleSessions.signIn(signed())
      await expect(consoleSessions.signIn(signed())).rejects.toThrow()
    })

    const by = credentialOf('ben')
    const code = (over: string, step: number) => usedCode(keys, 'ben', over, step)
    /** Enrols the second factor of `ben` with a code of step 1. */
    async function enrolled(): Promise<void> {
      expect(await w.secondFactors.enrol(by, '1.secret', someInstant)).toBe('committed')
      expect(await w.secondFactors.confirm(by, code(by.tokenHash, 1), someInstant)).toBe('committed')
    }

    test('a second factor takes effect by a code, and is then required', async () => {
      const session = { ...about, hash, by }
      await w.secondFactors.enrol(by, '1.first', someInstant)
      expect(await w.secondFactors.confirmedAt('ben')).toBeUndefined()
      await w.consoleSessions.open({ ...session, hash: '5d'.repeat(32) })
      const foreignCode = usedCode(foreign, 'ben', by.tokenHash, 1)
      expect(await w.secondFactors.confirm(by, foreignCode, someInstant)).toBe('stale')
      const inSession = { ...by, session: sessionFingerprint('5d'.repeat(32)) }
      expect(await w.secondFactors.confirm(inSession, code(by.tokenHash, 1), minutes(1))).toBe('committed')
      expect((await w.consoleSessions.authenticate('5d'.repeat(32), minutes(1), idleMs))?.hasSecondFactor).toBe(true)
      expect(await w.secondFactors.confirmedAt('ben')).toEqual(minutes(1))
      expect(await w.secondFactors.enrol(by, '1.other', minutes(1))).toBe('stale')
      const author = { ...originOf('ben'), session: inSession.session, at: minutes(1) }
      expect(await auditEntries(w.audit, { subject: 'ben', limit: 1 })).toEqual([factorConfirmed('ben', author)])
      for (const given of [undefined, code(other, 2), usedCode(foreign, 'ben', hash, 2), code(hash, 1)])
        expect(await w.consoleSessions.open({ ...session, ...(given && { code: given }) })).toBe('needs_second_factor')
      expect(await w.consoleSessions.open({ ...session, code: code(hash, 2) })).toMatchObject({ hasSecondFactor: true })
    })

    test('a secret is replaced by the same one of another key, unless it has changed meanwhile', async () => {
      await w.secondFactors.enrol(credentialOf('ben'), '1.old', someInstant)
      expect(await w.secondFactors.secrets()).toEqual([{ person: 'ben', secret: '1.old' }])
      for (const [person, secret] of [
        ['ben', '1.other'],
        ['ana', '1.old'],
      ] as const)
        expect(await w.secondFactors.renew(person, secret, '2.new')).toBe(false)
      expect(await w.secondFactors.renew('ben', '1.old', '2.new')).toBe(true)
      expect(await w.secondFactors.secrets()).toEqual([{ person: 'ben', secret: '2.new' }])
    })

    test('one of two sign-ins at once uses a code', async () => {
      await enrolled()
      const sign = (each: string) => w.consoleSessions.open({ ...about, hash: each, by, code: code(each, 7) })
      const results = await Promise.all([sign(hash), sign(other)])
      expect(results.filter((result) => result === 'needs_second_factor')).toHaveLength(1)
    })

    test('guesses at once count before they are compared; after five one waits', async () => {
      await enrolled()
      const claims = await Promise.all(Array.from({ length: 8 }, () => w.secondFactors.claim(by, minutes(1))))
      expect(claims.filter((claim) => claim !== 'locked')).toHaveLength(codeAttemptsMax)
      expect(claims).toContainEqual({ secret: '1.secret' })
      expect(await w.secondFactors.claim(by, minutes(15.9))).toBe('locked')
      expect(await w.secondFactors.claim(by, minutes(16))).toEqual({ secret: '1.secret' })
      expect(await w.secondFactors.claim(by, minutes(16))).toBe('locked')
      expect(await w.consoleSessions.open({ ...about, at: minutes(16), hash, by, code: code(hash, 2) })).toBeTypeOf(
        'object',
      )
      expect(await w.secondFactors.claim(by, minutes(16))).toEqual({ secret: '1.secret' })
      expect(await w.secondFactors.claim(credentialOf('ana'), minutes(1))).toBe('none')
      expect(await w.secondFactors.claim(credentialOf('nobody'), minutes(1))).toBe('unauthorized')
    })

    test('an admin removes that of another person, whose sessions end', async () => {
      await enrolled()
      await w.consoleSessions.open({ ...about, hash, by, code: code(hash, 2) })
      for (const [person, result] of [
        ['ana', 'unauthorized'],
        ['ben', 'stale'],
        ['ada', 'committed'],
        ['ada', 'stale'],
      ] as const)
        expect(await w.secondFactors.remove('ben', credentialOf(person), minutes(1))).toBe(result)
      expect(await w.consoleSessions.authenticate(hash, minutes(1), idleMs)).toBeUndefined()
      const author = { ...originOf('ada'), at: minutes(1) }
      expect(await auditEntries(w.audit, { subject: 'ben', limit: 1 })).toEqual([factorRemoved('ben', author)])
      expect(await w.consoleSessions.open({ ...about, hash: other, by })).toMatchObject({ hasSecondFactor: false })
    })
  })
}
