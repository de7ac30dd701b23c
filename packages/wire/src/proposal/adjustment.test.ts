import { usdt } from '@quipu/core'
import { describe, expect, test } from 'vitest'
import { issuesOf } from '../list/query.fixture.ts'
import { parseAdjustment } from './adjustment.ts'
import { readOptionalNote } from '../json/note.ts'

const body = { direction: 'in', amount: '1.50', reason: 'Fee charged twice.' }
const evidence = { note: 'The statement.', digest: '0123456789abcdef'.repeat(4) }

const refusal = (changes: object) => issuesOf(parseAdjustment({ ...body, ...changes }))

describe('an adjustment', () => {
  test('has a direction, an amount and a reason', () => {
    for (const direction of ['in', 'out'])
      expect(parseAdjustment({ ...body, direction })).toStrictEqual({
        ok: true,
        value: {
          adjustment: { direction, amount: usdt(1_500_000n) },
          note: { reason: 'Fee charged twice.', evidence: null },
        },
      })
    for (const member of Object.keys(body)) expect(refusal({ [member]: undefined })).toHaveLength(1)
    expect(refusal({ direction: 'both' })).toEqual(['direction must be in or out'])
    expect(refusal({ amount: '0' })).toHaveLength(1)
  })

  test('may book a difference and have evidence', () => {
    const differenceId = 'dif_01KAGZ8M88000000000000000A'
    expect(parseAdjustment({ ...body, difference_id: differenceId, evidence })).toEqual({
      ok: true,
      value: {
        adjustment: { direction: 'in', amount: usdt(1_500_000n), differenceId },
        note: { reason: 'Fee charged twice.', evidence },
      },
    })
    expect(refusal({ difference_id: 'po_01KAGZ8M88000000000000000A' })).toHaveLength(1)
  })
})

describe('a note', () => {
  test('is left out with its reason where no second person is needed', () => {
    expect(readOptionalNote({})).toBeUndefined()
    expect(readOptionalNote({ evidence })).toBeUndefined()
    expect(readOptionalNote({ reason: 'x' })).toEqual({ reason: 'x', evidence: null })
    expect(readOptionalNote({ reason: 'x', evidence })).toEqual({ reason: 'x', evidence })
  })
})
