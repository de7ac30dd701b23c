import { describe, expect, test } from 'vitest'
import { caseNoted, caseReleased, caseTaken } from '@quipu/core/operator'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { authorOf, credentialOf } from '../../fixtures/proposal/operators.ts'

const subject = 'dep_01K6HZ8M00000000000000000A'
const other = 'po_01K6HZ8M00000000000000000B'
const after = (seconds: number): Date => new Date(someInstant.getTime() + seconds * 1_000)
const [ana, eva, ben] = [credentialOf('ana'), credentialOf('eva'), credentialOf('ben')]

/** The contract of a `CaseStore`. */
export function caseStoreContract(name: string, open: OpenHarness<'cases' | 'audit'>): void {
  describe(`case store in ${name}`, () => {
    const w = useWorld(open, 'each')
    const auditOf = (id: string) => auditEntries(w.audit, { subject: id, limit: 5 })

    test('keeps notes oldest first, of people who may write, with an audit entry without their text', async () => {
      const { cases } = w
      const [first, second] = ['nte_01K6HZ8M00000000000000000A', 'nte_01K6HZ8M00000000000000000B']
      expect(await cases.note(first, subject, 'llamé al banco ñ', ana, someInstant)).toBe('committed')
      expect(await cases.note(second, subject, 'x'.repeat(2_000), eva, after(1))).toBe('committed')
      for (const reader of ['vic', 'aud', 'nobody'])
        expect(await cases.note('nte_x', subject, 'no', credentialOf(reader), after(2))).toBe('unauthorized')
      expect(await cases.notes(subject)).toEqual([
        { id: first, person: 'ana', note: 'llamé al banco ñ', createdAt: someInstant },
        { id: second, person: 'eva', note: 'x'.repeat(2_000), createdAt: after(1) },
      ])
      expect(await cases.notes(other)).toEqual([])
      expect(await auditOf(subject)).toEqual([
        caseNoted(subject, second, authorOf('eva', after(1))),
        caseNoted(subject, first, authorOf('ana', someInstant)),
      ])
    })

    test('one of several people who take a record at once has it, until that person or an admin releases it', async () => {
      const { cases } = w
      const results = await Promise.all([ana, eva, ben].map((by) => cases.take(subject, by, someInstant)))
      expect(results.toSorted()).toEqual(['committed', 'stale', 'stale'])
      const taker = await cases.taker(subject)
      const [owner, another] = taker?.person === 'ana' ? [ana, eva] : [taker?.person === 'eva' ? eva : ben, ana]
      expect(await cases.take(subject, owner, after(1))).toBe('committed')
      expect(await cases.taker(subject)).toEqual({ id: subject, person: taker?.person, createdAt: someInstant })
      expect(await cases.release(subject, another, after(2))).toBe('stale')
      expect(await cases.release(subject, credentialOf('vic'), after(2))).toBe('unauthorized')
      expect(await cases.release(subject, ben, after(2))).toBe('committed')
      expect(await cases.release(subject, ben, after(2))).toBe('stale')
      expect(await cases.taker(subject)).toBeUndefined()
      const person = taker?.person ?? ''
      expect(await auditOf(subject)).toEqual([
        caseReleased(subject, person, authorOf('ben', after(2))),
        caseTaken(subject, authorOf(person, someInstant)),
      ])
    })

    test('lists what is taken, the last one first, in pages', async () => {
      const { cases } = w
      await cases.take(subject, ana, someInstant)
      await cases.take(other, eva, after(1))
      const { items } = await cases.taken({ limit: 5 })
      expect(items.map(({ id, person }) => [id, person])).toEqual([
        [other, 'eva'],
        [subject, 'ana'],
      ])
      const page = await cases.taken({ limit: 1 })
      expect((await cases.taken({ limit: 1, ...(page.next && { after: page.next }) })).items).toEqual(items.slice(1))
    })
  })
}
