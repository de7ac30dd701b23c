import { rate } from './rate.ts'
import { expect, test, vi } from 'vitest'
import { countingIds } from '../ids.fixture.ts'
import { bob } from '../money.ts'
import { tenant } from '../tenant/tenant.fixture.ts'
import { createQuote } from './create-quote.ts'
import type { QuoteStore } from './ports.ts'
import { resolveQr } from './resolve-qr.ts'

const now = () => new Date('2026-11-21T12:00:00.000Z')
const revoked = async (): Promise<boolean> => false
const nothing = (): never => {
  throw new Error('nothing may be written')
}

test('a suspended tenant gets no quote, nor a caller whom the insertion refuses', async () => {
  const quote = (insert: QuoteStore['insert']) =>
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
  const request = { target: bob(100n), resolutionId: null, keyId: 'key_1' }
  expect(await quote(nothing)({ ...tenant, status: 'suspended' }, request)).toEqual(refused)
  const insert = vi.fn<QuoteStore['insert']>().mockResolvedValue('not_allowed')
  expect(await quote(insert)(tenant, request)).toEqual(refused)
  expect(insert).toHaveBeenCalledExactlyOnceWith(expect.anything(), 60, 'key_1')
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
