import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AuditEntry, AuditQuery } from '../tenant/ports.ts'
import { anyInstant, anyText } from './arbitraries.ts'
import { auditOf, someInstant } from './given.ts'
import { type OpenHarness, useWorld, type World } from './harness.ts'
import type { Runs } from './runs.ts'

/** What every `AuditLog` must do, as tests. Each write's own row is in the suite of its store. */
export function auditLogContract(name: string, open: OpenHarness, { runs = 50 }: Runs = {}): void {
  describe(`audit log in ${name}`, () => {
    const world = useWorld(open, 'each')

    /** A change of a tenant that leaves this row. */
    async function record(w: World, entry: AuditEntry): Promise<void> {
      const tenant = { ...(await w.newTenant()), revision: 2 }
      expect(await w.tenants.update(tenant, entry)).toBe('committed')
    }

    test('every row is read back as it was written', async () => {
      const w = world()
      await fc.assert(
        fc.asyncProperty(anyEntry, async (entry) => {
          await record(w, entry)
          expect(await w.audit.list({ limit: 1 })).toEqual([entry])
          await w.audit.record({ ...entry, action: 'operator.refuse' })
          expect(await w.audit.list({ limit: 2 })).toEqual([
            { ...entry, action: 'operator.refuse' },
            entry,
          ])
        }),
        { numRuns: runs },
      )
    })

    test('the newest comes first, one subject or tenant can be asked for, and the limit holds', async () => {
      const w = world()
      const at = (seconds: number) => new Date(someInstant.getTime() + seconds * 1000)
      const rows = [1, 2, 3, 4, 5].map((n) =>
        auditOf(n % 2 === 0 ? 'even' : 'odd', {
          at: at(n),
          action: `act-${n}`,
          tenantId: n < 4 ? 'ten_1' : null,
        }),
      )
      for (const row of rows) await record(w, row)
      const actions = async (query: AuditQuery) =>
        (await w.audit.list(query))
          .map(({ action }) => action)
          .filter((each) => each.startsWith('act'))
      expect(await actions({ subject: 'odd', limit: 10 })).toEqual(['act-5', 'act-3', 'act-1'])
      expect(await actions({ subject: 'odd', limit: 2 })).toEqual(['act-5', 'act-3'])
      expect(await actions({ subject: 'none', limit: 10 })).toEqual([])
      const ofTenant = { tenantId: 'ten_1', limit: 10 }
      expect(await actions(ofTenant)).toEqual(['act-3', 'act-2', 'act-1'])
      expect(await actions({ ...ofTenant, limit: 2 })).toEqual(['act-3', 'act-2'])
      expect(await actions({ ...ofTenant, subject: 'odd' })).toEqual(['act-3', 'act-1'])
      expect(await actions({ limit: 100 })).toEqual(['act-5', 'act-4', 'act-3', 'act-2', 'act-1'])
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
const anyEntry: fc.Arbitrary<AuditEntry> = fc.record({
  actor: fc.option(anyText),
  action: fc.constantFrom('tenant.update', 'tenant.suspend'),
  tenantId: fc.option(anyText),
  subject: anyText,
  at: anyInstant,
  before: anyState,
  after: anyState,
})
