import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  auditExport,
  type AuditEntry,
  type AuditLog,
  type AuditQuery,
  auditStart,
  nextPosition,
} from '@quipu/core/operator'
import { anyInstant, anyText } from '../../fixtures/arbitraries.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { newKey } from '../../fixtures/new-key.ts'
import { credentialOf, originOf } from '../../fixtures/proposal/operators.ts'
import type { Runs } from '../../fixtures/runs.ts'

type Needed = 'audit' | 'tenants' | 'apiKeys'

/** The contract of an `AuditLog`. The suite of each store proves the entries that it writes. */
export function auditLogContract(name: string, open: OpenHarness<Needed>, { runs = 50 }: Runs = {}): void {
  describe(`audit log in ${name}`, () => {
    const w = useWorld(open, 'each')

    test('reads back every entry as written, chained to the one before', async () => {
      await fc.assert(
        fc.asyncProperty(fc.oneof(anyRefusal, anyFailure), async ({ entry, record }) => {
          await record(w.audit)
          const [written, before = auditStart] = await w.audit.list({ limit: 2 })
          expect(written).toEqual({ ...entry, ...nextPosition(before, entry) })
        }),
        { numRuns: runs },
      )
    })

    test('a refusal names the person of an active token, and without one nothing is written', async () => {
      const refusal = { tenantId: null, subject: 's', at: someInstant, after: null }
      await w.audit.recordRefusal(refusal, credentialOf('nobody'))
      expect(await w.audit.list({ limit: 9 })).toEqual([])
    })

    test('a look-up of a secret has the id of what it found, and is written when it found something', async () => {
      const { id: tenantId } = await w.newTenant()
      const key = newKey(w, tenantId)
      expect(await w.apiKeys.issue(key, credentialOf('ada'))).toBe('committed')
      const [ana, vic] = [credentialOf('ana'), credentialOf('vic')]
      const written = (await w.audit.list({ limit: 99 })).length
      const lookUp = (hash: string, by = vic) => w.audit.recordLookUp(hash, someInstant, by)
      expect(await lookUp(key.hash, credentialOf('nobody'))).toBe('unauthorized')
      expect(await lookUp('ab'.repeat(32))).toBe('unknown')
      expect((await w.audit.list({ limit: 99 })).length).toBe(written)
      for (const hash of [key.hash, ana.tokenHash]) expect(await lookUp(hash)).toBe('committed')
      const entry = { ...originOf('vic'), action: 'secret.look_up', at: someInstant, before: null, after: null }
      expect(await w.audit.list({ limit: 2 })).toMatchObject([
        { ...entry, tenantId: null, subject: originOf('ana').tokenId },
        { ...entry, tenantId, subject: key.id },
      ])
    })

    test('an export names who takes what, by which filter, and what was sent', async () => {
      const taken = { subject: 'payouts', filter: 'status=completed', at: someInstant }
      const sent = { rows: 7, isComplete: false }
      expect(await w.audit.recordExport({ ...taken, sent: null }, credentialOf('nobody'))).toBe('unauthorized')
      for (const each of [null, sent])
        expect(await w.audit.recordExport({ ...taken, sent: each }, credentialOf('vic'))).toBe('committed')
      const [end, begin, ...others] = await w.audit.list({ limit: 9 })
      expect(others).toEqual([])
      for (const [entry, each] of [[begin, null] as const, [end, sent] as const])
        expect(entry).toMatchObject(auditExport({ ...taken, sent: each }, originOf('vic')))
    })

    test('lists the newest first, filtered, at most `limit`', async () => {
      const at = (seconds: number) => new Date(someInstant.getTime() + seconds * 1000)
      for (const n of [1, 2, 3, 5]) {
        const about = { subject: n % 2 === 0 ? 'even' : 'odd', tenantId: n < 4 ? 'ten_1' : null }
        const by = credentialOf(n < 3 ? 'ana' : 'luz')
        if (n === 5) await w.audit.recordFailedLogins({ address: 'even', at: at(4), failures: 4 })
        await w.audit.recordRefusal({ ...about, at: at(n), after: { n } }, by)
      }
      const numbers = async (query: AuditQuery) =>
        (await w.audit.list(query)).map(({ after }) => after?.['n'] ?? after?.['failures'])
      expect(await numbers({ subject: 'odd', limit: 10 })).toEqual([5, 3, 1])
      expect(await numbers({ subject: 'odd', limit: 2 })).toEqual([5, 3])
      expect(await numbers({ subject: 'none', limit: 10 })).toEqual([])
      const ofTenant = { tenantId: 'ten_1', limit: 10 }
      expect(await numbers(ofTenant)).toEqual([3, 2, 1])
      expect(await numbers({ ...ofTenant, limit: 2 })).toEqual([3, 2])
      expect(await numbers({ ...ofTenant, subject: 'odd' })).toEqual([3, 1])
      expect(await numbers({ actor: 'ana', limit: 10 })).toEqual([2, 1])
      const { tokenId } = originOf('luz')
      expect(await numbers({ tokenId: tokenId ?? '', limit: 10 })).toEqual([5, 3])
      expect(await numbers({ action: 'operator.fail_login', limit: 10 })).toEqual([4])
      expect(await numbers({ from: at(2), to: at(4), limit: 10 })).toEqual([4, 3, 2])
      expect(await numbers({ before: 3n, limit: 1 })).toEqual([2])
      const every = { ...ofTenant, subject: 'odd', actor: 'ana', action: 'operator.refuse' }
      expect(await numbers({ ...every, from: at(1), to: at(3), before: 3n })).toEqual([1])
      expect(await numbers({ limit: 100 })).toEqual([5, 4, 3, 2, 1])
    })
  })
}

const anyState = fc.option(
  fc.dictionary(
    fc.stringMatching(/^[a-z_]{1,12}$/),
    fc.oneof(anyText, fc.integer(), fc.array(anyText, { maxLength: 3 }), fc.constant(null)),
    { noNullPrototype: true },
  ),
)
const nobody = { actor: null, tokenId: null, address: null, session: null }

/** The recorded change, and its entry. */
type Written = { readonly entry: AuditEntry; record(audit: AuditLog): Promise<void> }

const anyRefusal: fc.Arbitrary<Written> = fc
  .record({
    tenantId: fc.option(anyText),
    subject: anyText,
    at: fc.nat(86_400_000).map((ms) => new Date(someInstant.getTime() + ms)),
    after: anyState,
  })
  .map((refusal) => ({
    entry: { ...originOf('vic'), ...refusal, action: 'operator.refuse', before: null },
    record: (audit) => audit.recordRefusal(refusal, credentialOf('vic')),
  }))
const anyFailure: fc.Arbitrary<Written> = fc
  .record({ address: anyText, at: anyInstant, failures: fc.nat() })
  .map((failure) => ({
    entry: {
      ...nobody,
      action: 'operator.fail_login',
      tenantId: null,
      subject: failure.address,
      at: failure.at,
      before: null,
      after: { failures: failure.failures },
    },
    record: (audit) => audit.recordFailedLogins(failure),
  }))
