import { expect, test } from 'vitest'
import { isCheckpointSigned, signCheckpoint } from './audit-checkpoint.ts'

const key = new Uint8Array(32).fill(7)
const signed = signCheckpoint(key, { id: 12n, hash: 'ab'.repeat(32) }, new Date('2026-11-20T10:00:00.000Z'))

test('a checkpoint is signed with one key', () => {
  expect(isCheckpointSigned(key, signed)).toBe(true)
  expect(isCheckpointSigned(new Uint8Array(32).fill(8), signed)).toBe(false)
})

test.each([
  ['id', { id: 13n }],
  ['hash', { hash: 'ba'.repeat(32) }],
  ['instant', { at: new Date('2026-11-20T10:00:00.001Z') }],
  ['signature', { signature: 'ab'.repeat(32) }],
])('the signature covers the %s', (_, change) => {
  expect(isCheckpointSigned(key, { ...signed, ...change })).toBe(false)
})
