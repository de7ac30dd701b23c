import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { auditHash, auditStart, nextPosition } from './audit-chain.ts'
import type { AuditEntry } from './ports.ts'

const entry: AuditEntry = {
  actor: 'ana',
  tokenId: 'opt_1',
  address: '203.0.113.7',
  session: null,
  action: 'tenant.update',
  tenantId: 'ten_1',
  subject: 'ten_1',
  at: new Date('2026-11-21T12:00:00.089Z'),
  before: null,
  after: { é: 2, bb: null, ab: 'ñ "x"', aaa: 3, aa: ['y', 'z'], z: 1 },
}
const canonical = (id: string): string =>
  `[1, "${id}", "1795262400089000", "ana", "opt_1", "203.0.113.7", null, "tenant.update", "ten_1", "ten_1", null, ` +
  `{"z": 1, "aa": ["y", "z"], "ab": "ñ \\"x\\"", "bb": null, "é": 2, "aaa": 3}]`
const digest = (previous: string, text: string): string =>
  createHash('sha256').update(Buffer.from(previous, 'hex')).update(text).digest('hex')

test('an entry’s hash covers the hash before it and the entry as PostgreSQL prints it', () => {
  const previous = 'ab'.repeat(32)
  expect(auditHash(previous, 7n, entry)).toBe(digest(previous, canonical('7')))
})

test('the order in which members were written does not matter', () => {
  const after = Object.fromEntries(Object.entries(entry.after ?? {}).toReversed())
  expect(auditHash(auditStart.hash, 7n, { ...entry, after })).toBe(auditHash(auditStart.hash, 7n, entry))
})

test('the log begins at 32 zero bytes, and each entry follows the one before it', () => {
  const first = nextPosition(auditStart, entry)
  expect(first).toEqual({ id: 1n, hash: digest('00'.repeat(32), canonical('1')) })
  expect(nextPosition(first, entry)).toEqual({ id: 2n, hash: digest(first.hash, canonical('2')) })
})
