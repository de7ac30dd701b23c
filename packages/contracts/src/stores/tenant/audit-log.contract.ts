import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AuditQuery, auditStart, nextPosition, type RefusalEntry } from '@quipu/core/operator'
import { anyInstant, anyText } from '../../fixtures/arbitraries.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import type { Runs } from '../../fixtures/runs.ts'

type Needed = 'audit'

/** The contract of an `AuditLog`. The suite of each store proves the entries that it writes. */
export function auditLogContract(
  name: string,
  open: OpenHarness<Needed>,
  { runs = 50 }: Runs = {},
): void {
  describe(`audit log in ${name}`, () => {
    const world = useWorld(open, 'each')

    test('reads back every entry as written, chained to the one before', async () => {
      const w = world()
      await fc.assert(
        fc.asyncProperty(anyEntry, async (entry) => {
          await w.audit.record(entry)
          const [written, before = auditStart] = await w.audit.list({ limit: 2 })
          expect(written).toEqual({ ...entry, ...nextPosition(before, entry) })
        }),
        { numRuns: runs },
      )
    })

    test('lists the newest first, filtered, at most `limit`', async () => {
      const w = world()
      const at = (seconds: number) => new Date(someInstant.getTime() + seconds * 1000)
      for (const n of [1, 2, 3, 4, 5])
        await w.audit.record({
          ...{ actor: n < 3 ? 'ana' : 'omar', at: at(n), before: null },
          action: n === 4 ? 'operator.fail_login' : 'operator.refuse',
          ...{ subject: n % 2 === 0 ? 'even' : 'odd', tenantId: n < 4 ? 'ten_1' : null },
          after: { n },
        })
      const numbers = async (query: AuditQuery) =>
        (await w.audit.list(query)).map(({ after }) => after?.['n'])
      expect(await numbers({ subject: 'odd', limit: 10 })).toEqual([5, 3, 1])
      expect(await numbers({ subject: 'odd', limit: 2 })).toEqual([5, 3])
      expect(await numbers({ subject: 'none', limit: 10 })).toEqual([])
      const ofTenant = { tenantId: 'ten_1', limit: 10 }
      expect(await numbers(ofTenant)).toEqual([3, 2, 1])
      expect(await numbers({ ...ofTenant, limit: 2 })).toEqual([3, 2])
      expect(await numbers({ ...ofTenant, subject: 'odd' })).toEqual([3, 1])
      expect(await numbers({ actor: 'ana', limit: 10 })).toEqual([2, 1])
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
const anyEntry: fc.Arbitrary<RefusalEntry> = fc.record({
  actor: fc.option(anyText),
  action: fc.constantFrom('operator.refuse', 'operator.fail_login'),
  tenantId: fc.option(anyText),
  subject: anyText,
  at: anyInstant,
  before: fc.constant(null),
  after: anyState,
})
