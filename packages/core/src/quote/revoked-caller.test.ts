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

test('a caller whose permission ends while the rate is read gets no quote', async () => {
  const quote = createQuote(
    {
      quotes: { insert: nothing },
      resolutions: { find: nothing },
      rates: { current: async () => ({ bid: 99_500n, source: 'fixed', observedAt: now() }) },
      ids: countingIds(),
      now,
    },
    { lifeSeconds: 60 },
  )
  expect(await quote(tenant, { target: bob(100n), resolutionId: null }, revoked)).toEqual({
    type: 'refused',
    code: 'AUTHENTICATION_FAILED',
  })
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
  expect(await resolve('ten_1', 'content', revoked)).toEqual({
    type: 'refused',
    code: 'AUTHENTICATION_FAILED',
  })
})
