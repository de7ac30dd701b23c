import { bob, usdt } from '@quipu/core'
import { auditMovement, type Movement, type NewMovement } from '@quipu/core/operator'
import { describe, expect, test } from 'vitest'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { credentialOf, originOf } from '../../fixtures/proposal/operators.ts'

type Needed = 'treasury' | 'audit'

const at = new Date('2026-03-04T05:06:07.089Z')
const evidence = { note: 'El extracto del banco. 💸', digest: '0123456789abcdef'.repeat(4) }
const sale = { kind: 'sale', account: null, usdt: usdt(1_000_000_001n), bob: bob(9_950_01n) } as const

/** A movement that happened a day before it was recorded. */
export const newMovement = (w: Pick<World, 'ids'>, over: Partial<NewMovement> = {}): NewMovement => ({
  id: w.ids.next('trm', at),
  ...sale,
  at: new Date(at.getTime() - 86_400_000),
  reference: w.ids.next('trm', at),
  reason: 'Sold at the exchange.',
  evidence,
  ...over,
})

/** The contract of a `TreasuryStore`. */
export function treasuryStoreContract(name: string, open: OpenHarness<Needed>): void {
  describe(`treasury store in ${name}`, () => {
    const w = useWorld(open, 'each')
    const stored = (movement: NewMovement, over: Partial<Movement> = {}): Movement => ({
      ...movement,
      reverses: null,
      createdBy: 'ana',
      createdAt: at,
      ...over,
    })

    test('movements of every kind are recorded with their audit entries, newest first', async () => {
      const made = [
        newMovement(w),
        newMovement(w, { kind: 'funding', usdt: null }),
        newMovement(w, { kind: 'capital_in', account: 'treasury', bob: null }),
        newMovement(w, { kind: 'fee', account: 'network', usdt: null }),
      ]
      for (const each of made) expect(await w.treasury.record(each, at, credentialOf('ana'))).toBe('committed')
      const newest = made.map((each) => stored(each)).toReversed()
      const first = await w.treasury.list({ limit: 3 })
      expect(first.items).toEqual(newest.slice(0, 3))
      const rest = await w.treasury.list({ limit: 3, after: { createdAt: at, id: first.items.at(-1)?.id ?? '' } })
      expect(rest).toEqual({ items: newest.slice(3), next: null })
      for (const movement of newest) {
        expect(await w.treasury.find(movement.id)).toEqual(movement)
        expect(await auditEntries(w.audit, { subject: movement.id, limit: 2 })).toEqual([
          auditMovement(movement, originOf('ana')),
        ])
      }
      expect(await w.treasury.find(w.ids.next('trm', at))).toBeUndefined()
    })

    test('a reference is recorded once, until its movement is reversed, which happens once', async () => {
      const first = newMovement(w)
      const again = { ...first, id: w.ids.next('trm', at) }
      const by = credentialOf('ana')
      const results = await Promise.all([first, again].map((each) => w.treasury.record(each, at, by)))
      expect(results.toSorted()).toEqual(['committed', 'recorded'])
      const [kept] = (await w.treasury.list({ limit: 9 })).items
      const reversal = { id: w.ids.next('trm', at), of: kept?.id ?? '', reason: 'Typed twice.', evidence }
      expect(await w.treasury.reverse(reversal, at, credentialOf('eva'))).toBe('committed')
      const { id, of: reverses, reason } = reversal
      const undone = stored({ ...first, id, reason }, { reverses, createdBy: 'eva' })
      expect(await w.treasury.find(id)).toEqual(undone)
      expect(await auditEntries(w.audit, { subject: id, limit: 2 })).toEqual([auditMovement(undone, originOf('eva'))])
      const next = () => ({ ...reversal, id: w.ids.next('trm', at) })
      expect(await w.treasury.reverse(next(), at, by)).toBe('stale')
      expect(await w.treasury.reverse({ ...next(), of: id }, at, by)).toBe('stale')
      expect(await w.treasury.reverse({ ...next(), of: w.ids.next('trm', at) }, at, by)).toBe('stale')
      expect(await w.treasury.record({ ...first, id: w.ids.next('trm', at) }, at, by)).toBe('committed')
      const ofAnotherKind = newMovement(w, { kind: 'funding', usdt: null, reference: first.reference })
      expect(await w.treasury.record(ofAnotherKind, at, by)).toBe('committed')
    })

    test('nobody records without the active token of an operator', async () => {
      for (const person of ['vic', 'aud', 'nobody'])
        expect(await w.treasury.record(newMovement(w), at, credentialOf(person))).toBe('unauthorized')
      const reversal = { id: w.ids.next('trm', at), of: w.ids.next('trm', at), reason: 'x', evidence }
      expect(await w.treasury.reverse(reversal, at, credentialOf('vic'))).toBe('unauthorized')
      expect((await w.treasury.list({ limit: 9 })).items).toEqual([])
    })
  })
}
