import { describe, expect, test } from 'vitest'
import {
  type AuditEntry,
  type AuditPosition,
  type AuditRecord,
  auditStart,
  containsEntry,
  nextPosition,
  type Refusal,
  verifyAuditLog,
} from '@quipu/core/operator'
import { someInstant } from '../../fixtures/instants.ts'
import type { Harness } from '../../fixtures/harness.ts'
import { credentialOf, originOf } from '../../fixtures/proposal/operators.ts'
import { useResource } from '../../fixtures/resource.ts'

/** Changes rows as the owner of the storage can, without the functions that chain entries. */
export type AuditForgery = {
  /** Replaces the entry with this id, which may change the id. */
  replace(id: bigint, record: AuditRecord): Promise<void>
  remove(id: bigint): Promise<void>
  insert(record: AuditRecord): Promise<void>
}

/** An empty log, before each test. */
export type OpenForgeableAudit = () => Promise<Harness<'audit'> & { readonly forgery: AuditForgery }>

const refusal = (n: number): Refusal => ({
  tenantId: null,
  subject: `s${n}`,
  at: new Date(someInstant.getTime() + n),
  after: { n },
})
const entry = (n: number): AuditEntry => ({
  ...originOf('ana'),
  ...refusal(n),
  action: 'operator.refuse',
  before: null,
})

/** Proves that an `AuditLog` names the first entry that was changed, removed or inserted. */
export function auditChainContract(name: string, open: OpenForgeableAudit): void {
  describe(`audit chain in ${name}`, () => {
    const world = useResource(open, 'each')
    const write = async (entries: number): Promise<readonly AuditRecord[]> => {
      for (let n = 1; n <= entries; n++) await world().audit.recordRefusal(refusal(n), credentialOf('ana'))
      return (await world().audit.list({ limit: entries })).toReversed()
    }
    const verify = (from: AuditPosition = auditStart, entries = 10_000) => verifyAuditLog(world().audit, from, entries)
    const flawed = async () => (await verify()).flaw?.id

    test('entries that are written concurrently are one chain without a gap', async () => {
      await Promise.all(
        Array.from({ length: 50 }, (_, n) => world().audit.recordRefusal(refusal(n), credentialOf('ana'))),
      )
      const [newest] = await world().audit.list({ limit: 1 })
      expect(await verify()).toEqual({ flaw: null, isComplete: true, verified: { id: 50n, hash: newest?.hash } })
    })

    test('a walk stops after the given number of entries, and another one resumes there', async () => {
      const [, , third, , fifth] = await write(5)
      const first = await verify(auditStart, 3)
      expect(first).toEqual({ flaw: null, isComplete: false, verified: positionOf(third) })
      const second = await verify(first.verified, 3)
      expect(second).toEqual({ flaw: null, isComplete: true, verified: positionOf(fifth) })
      expect(await world().audit.verify(auditStart, 2)).toMatchObject({ flaw: null, count: 2 })
    })

    test.each([
      ['actor', { actor: 'omar' }],
      ['missing actor', { actor: null }],
      ['token', { tokenId: 'opt_1' }],
      ['address', { address: '192.0.2.8' }],
      ['session', { session: '5e'.repeat(8) }],
      ['action', { action: 'operator.fail_login' }],
      ['tenant', { tenantId: 'ten_1' }],
      ['subject', { subject: 's4' }],
      ['instant', { at: new Date(0) }],
      ['state before', { before: { n: 3 } }],
      ['state after', { after: { n: 4 } }],
      ['missing state after', { after: null }],
      ['hash', { hash: 'a'.repeat(64) }],
    ] as const)('names an entry whose %s was changed', async (_, change) => {
      const records = await write(5)
      await world().forgery.replace(3n, { ...recordAt(records, 3), ...change })
      const { flaw, verified, isComplete } = await verify()
      expect({ id: flaw?.id, isComplete }).toEqual({ id: 3n, isComplete: false })
      expect(flaw?.detail).toMatch(/^the entry was changed or inserted/)
      expect(verified).toEqual(positionOf(recordAt(records, 2)))
    })

    test('names the entry after one that was changed together with its hash', async () => {
      const records = await write(5)
      const forged = { ...recordAt(records, 3), actor: 'omar' }
      const position = nextPosition(recordAt(records, 2), forged)
      await world().forgery.replace(3n, { ...forged, ...position })
      expect(await flawed()).toBe(4n)
    })

    test.each([1n, 3n])('names the entry %s that was removed', async (id) => {
      await write(5)
      await world().forgery.remove(id)
      expect((await verify()).flaw).toEqual({ id, detail: 'the entry is missing' })
    })

    test('names an entry that was inserted between others', async () => {
      const records = await write(4)
      for (const id of [4n, 3n]) await world().forgery.replace(id, { ...recordAt(records, Number(id)), id: id + 1n })
      await world().forgery.insert({ ...entry(9), id: 3n, hash: recordAt(records, 3).hash })
      expect(await flawed()).toBe(3n)
    })

    test('names an entry that was appended with another hash', async () => {
      await write(4)
      await world().forgery.insert({ ...entry(5), id: 5n, hash: '0'.repeat(64) })
      expect(await flawed()).toBe(5n)
    })

    test('a checkpoint exposes a removed tail', async () => {
      const records = await write(5)
      const [fourth, fifth] = [recordAt(records, 4), recordAt(records, 5)]
      expect(await containsEntry(world().audit, fifth)).toBe(true)
      await world().forgery.remove(5n)
      expect(await verify()).toMatchObject({ flaw: null, verified: positionOf(fourth) })
      expect(await containsEntry(world().audit, fifth)).toBe(false)
      const flaw = { id: 5n, detail: 'the entry is missing' }
      expect(await verify(positionOf(fifth))).toMatchObject({ flaw, verified: positionOf(fifth) })
      expect(await containsEntry(world().audit, fourth)).toBe(true)
    })

    test('a checkpoint exposes a chain that was computed anew', async () => {
      const records = await write(5)
      let last: AuditPosition = recordAt(records, 2)
      for (const record of records.slice(2)) {
        const forged = { ...record, actor: 'omar' }
        last = nextPosition(last, forged)
        await world().forgery.replace(record.id, { ...forged, ...last })
      }
      expect((await verify()).flaw).toBeNull()
      const [second, third] = [recordAt(records, 2), recordAt(records, 3)]
      expect(await containsEntry(world().audit, second)).toBe(true)
      expect(await containsEntry(world().audit, third)).toBe(false)
    })
  })
}

function recordAt(records: readonly AuditRecord[], id: number): AuditRecord {
  const record = records[id - 1]
  if (!record) throw new Error(`no entry ${id}`)
  return record
}

const positionOf = (record: AuditPosition | undefined): AuditPosition | undefined =>
  record && { id: record.id, hash: record.hash }
