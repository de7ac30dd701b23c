import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isFinal, legs, settle } from '@quipu/core'
import {
  anyFinalAnswer,
  anyNetworkAnswer,
  anyProcessingPayout,
  anyTransactionId,
} from './arbitraries.ts'

const anyAnswered = anyProcessingPayout.chain((payout) =>
  fc.record({ payout: fc.constant(payout), answer: anyNetworkAnswer(payout.target) }),
)
const anyEnding = anyProcessingPayout.chain((payout) =>
  fc.record({ payout: fc.constant(payout), answer: anyFinalAnswer(payout.target) }),
)

test('every final answer ends any payout and empties its hold', () => {
  fc.assert(
    fc.property(anyEnding, ({ payout, answer }) => {
      expect(isFinal(payout, answer)).toBe(true)
      const { effects } = settle(payout, answer, 'late', payout.createdAt)
      const transfers = effects.flatMap((each) => (each.type === 'transfer' ? [each.transfer] : []))
      expect(transfers.map(({ amount }) => amount)).toEqual([payout.quote.source])
      expect(transfers.map(({ type }) => legs[type].debit)).toEqual(['held'])
    }),
  )
})

test('the answers of a network are of every kind, final and not', () => {
  const answers = fc.sample(anyAnswered, { numRuns: 500, seed: 1 })
  const ends = new Set(
    answers.map(({ payout, answer }) => `${answer.type} ${isFinal(payout, answer)}`),
  )
  for (const kind of ['paid true', 'paid false', 'late false', 'unknown false', 'not_sent true']) {
    expect(ends).toContain(kind)
  }
})

test('every transaction_id has 1 to 100 of the allowed characters', () => {
  fc.assert(
    fc.property(anyTransactionId, (id) => {
      expect(id).toMatch(/^[A-Za-z0-9._:-]{1,100}$/)
    }),
  )
})
