import { rate } from './rate.ts'
import { expect, test, vi } from 'vitest'
import { countingIds } from '../ids.fixture.ts'
import { bob } from '../money.ts'
import type { QrNetwork, QrRead } from '../network/qr-network.ts'
import { tenant } from '../tenant/tenant.fixture.ts'
import type { Tenant } from '../tenant/tenant.ts'
import { createQuote } from './create-quote.ts'
import type { QuoteStore, ResolutionStore } from './ports.ts'
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

const reading: QrRead = {
  type: 'read',
  amountMode: 'closed',
  amount: bob(100n),
  merchant: { name: 'Tienda', bankCode: '1016' },
  description: null,
  networkRef: 'n-1',
  expiresAt: null,
}

test.each<[string, Tenant['status'], QrNetwork['readQr'], ResolutionStore['insert']]>([
  ['whose tenant is suspended', 'suspended', nothing, nothing],
  ['whom the insertion refuses', 'active', async () => reading, async () => 'not_allowed'],
  [
    'whose permission ends while a refused QR is read',
    'active',
    async () => ({ type: 'refused_qr', reason: 'expired' }),
    nothing,
  ],
])('a caller %s gets no resolution', async (_, status, readQr, insert) => {
  const inserted = vi.fn<ResolutionStore['insert']>().mockImplementation(insert)
  const timer = () => ({ done: new Promise<void>(() => undefined), cancel: () => undefined })
  const resolve = resolveQr(
    { network: { readQr }, resolutions: { insert: inserted }, ids: countingIds(), now, timer },
    { environment: 'sandbox', answerWithinMs: 10 },
  )
  const answer = await resolve({ ...tenant, status }, { content: 'a QR', keyId: 'key_1' }, revoked)
  expect(answer).toEqual({ type: 'refused', code: 'AUTHENTICATION_FAILED' })
  for (const [, keyId] of inserted.mock.calls) expect(keyId).toBe('key_1')
})
