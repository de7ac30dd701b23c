import { rate } from './rate.ts'
import { expect, test } from 'vitest'
import { countingIds } from '../ids.fixture.ts'
import { bob } from '../money.ts'
import { tenant } from '../tenant/tenant.fixture.ts'
import { createQuote } from './create-quote.ts'
import { resolveQr } from './resolve-qr.ts'

const now = () => new Date('2026-11-21T12:00:00.000Z')
const revoked = async (): Promise<boolean> => false
const nothing = (): never => {
  throw new Error('nothing may be written')
}

test('a suspended tenant gets no quote, nor a caller whom the insertion refuses', async () => {
  const quote = (insert: () => Promise<'not_allowed'>) =>
    createQuote(
      {
        quotes: { insert },
        resolutions: { find: nothing },
        rates: { current: async () => ({ bid: rate(99_500n), source: 'fixed', observedAt: now() }) },
        ids: countingIds(),
        now,
      },
      { lifeSeconds: 60 },
    )
  const refused = { type: 'refused', code: 'AUTHENTICATION_FAILED' }
  const request = { target: bob(100n), resolutionId: null }
  expect(await quote(nothing)({ ...tenant, status: 'suspended' }, request)).toEqual(refused)
  expect(await quote(async () => 'not_allowed')(tenant, request)).toEqual(refused)
})

test('a caller whose permission ends while the QR is read gets no resolution', async () => {
  const resolve = resolveQr(
    {
      network: {
        readQr: async () => ({
          type: 'read',
          amountMode: 'closed',
          amount: bob(100n),
          merchant: { name: 'Tienda', bankCode: '1016' },
          description: null,
          networkRef: 'n-1',
          expiresAt: null,
        }),
      },
      resolutions: { insert: nothing },
      ids: countingIds(),
      now,
      timer: () => ({ done: new Promise(() => undefined), cancel: () => undefined }),
    },
    { environment: 'sandbox', answerWithinMs: 10 },
  )
  expect(await resolve('ten_1', 'content', revoked)).toEqual({ type: 'refused', code: 'AUTHENTICATION_FAILED' })
})
