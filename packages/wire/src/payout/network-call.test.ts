import { type NetworkCall, networkCallKinds } from '@quipu/core/operator'
import { anyId, anyInstant, anyText } from '@quipu/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as example from '../openapi/example.ts'
import { payoutToJson } from './payout-to-json.ts'
import { queriedPayout, queriedPayoutToJson, networkCall, networkCallToJson } from './network-call.ts'

const anyCall: fc.Arbitrary<NetworkCall> = fc
  .record({
    id: anyId('nwc'),
    kind: fc.constantFrom(...networkCallKinds),
    by: fc.constantFrom(
      { queriedBy: 'request', actor: null } as const,
      { queriedBy: 'worker', actor: null } as const,
      { queriedBy: 'operator', actor: 'olivia' } as const,
    ),
    createdAt: anyInstant,
    durationMs: fc.nat(),
    answer: fc.constantFrom('paid' as const, 'unknown' as const, 'not_seen' as const),
    detail: fc.option(anyText),
  })
  .map(({ by, ...call }) => ({ ...call, ...by }))

test('a payout that was queried shows each query, who made it, the answer and its time', () => {
  fc.assert(
    fc.property(fc.array(anyCall, { maxLength: 3 }), (calls) => {
      const json = queriedPayoutToJson(example.completed, calls)
      expect(queriedPayout.parse(json)).toEqual(json)
      expect(json).toEqual({
        payout: payoutToJson(example.completed),
        calls: calls.map((call) => ({
          id: call.id,
          kind: call.kind,
          queried_by: call.queriedBy,
          actor: call.actor,
          answer: call.answer,
          detail: call.detail,
          duration_ms: call.durationMs,
          created_at: call.createdAt.toISOString(),
        })),
      })
    }),
  )
})

test('nobody else queries', () => {
  const [call] = fc.sample(anyCall, { numRuns: 1, seed: 1 })
  if (!call) throw new Error('no call was drawn')
  const json = networkCallToJson(call)
  expect(networkCall.safeParse({ ...json, queried_by: 'tenant' }).success).toBe(false)
  expect(networkCall.safeParse({ ...json, kind: 'refund' }).success).toBe(false)
})
