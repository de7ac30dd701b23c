import { bob, type Quote, rate } from '@quipu/core'
import { quotePrice } from '@quipu/core/adapter'
import { anyQuote } from '@quipu/contracts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { issuesOf } from '../list/query.fixture.ts'
import { parseQuoteRequest, quote, quoteRecord } from './quote.ts'
import { quoteToJson, quoteViewToJson } from './quote-to-json.ts'

const refusal = (body: unknown) => issuesOf(parseQuoteRequest(body))
const target = (amount: unknown): object => ({ target: { currency: 'BOB', amount } })
const resolution = { resolution_id: 'qrr_01KAGZ8M88000000000000000B' }

describe('a quote request', () => {
  test('has a target, a resolution, or both', () => {
    expect(parseQuoteRequest(target('100.00'))).toEqual({
      ok: true,
      value: { target: bob(100_00n), resolutionId: null },
    })
    expect(parseQuoteRequest(resolution)).toEqual({
      ok: true,
      value: { target: null, resolutionId: resolution.resolution_id },
    })
    expect(parseQuoteRequest({ ...target('0.5'), ...resolution })).toEqual({
      ok: true,
      value: { target: bob(50n), resolutionId: resolution.resolution_id },
    })
  })

  test('has at least one of them', () => {
    expect(refusal({})).toEqual(['target is required unless resolution_id names a QR that fixes the amount'])
  })

  test('takes null for an optional member that is left out', () => {
    const left = { ...target('1'), resolution_id: null }
    expect(parseQuoteRequest(left)).toMatchObject({ ok: true, value: { resolutionId: null } })
    expect(refusal({ target: null, resolution_id: null })).toEqual([
      'target is required unless resolution_id names a QR that fixes the amount',
    ])
  })
})

const priced = quotePrice(bob(100_00n), rate(99_500n), {
  marginBps: 150,
  feeBps: 50,
  feeFixed: { currency: 'USDT', minor: 100_000n },
})
if (typeof priced === 'string') throw new Error(priced)
const example: Quote = {
  ...priced,
  id: '019aa1f4-5108-7000-8000-00000000000a',
  tenantId: 'ten_1',
  resolutionId: null,
  bid: rate(99_500n),
  rateSource: 'fixed',
  createdAt: new Date('2026-11-20T15:04:05.006Z'),
  expiresAt: new Date('2026-11-20T15:05:05.006Z'),
}

const six = {
  id: '019aa1f4-5108-7000-8000-00000000000a',
  source: { currency: 'USDT', amount: '10.354370' },
  target: { currency: 'BOB', amount: '100.00' },
  rate: '9.8007',
  fee: { currency: 'USDT', amount: '0.151017' },
  expires_at: '2026-11-20T15:05:05.006Z',
}

test('spec §2: a quote has exactly six members, in this order', () => {
  expect(JSON.stringify(quoteToJson(example))).toBe(JSON.stringify(six))
})

const cap = bob(5_000_000n)

test('the answer of a quote adds resolution, status and creation', () => {
  expect(quoteViewToJson({ quote: example, status: 'used' }, cap)).toEqual({
    ...six,
    resolution_id: null,
    status: 'used',
    created_at: '2026-11-20T15:04:05.006Z',
    exceeds_payment_cap: false,
  })
})

test('a quote of the payment cap itself does not exceed it', () => {
  const view = (minor: bigint) => quoteViewToJson({ quote: example, status: 'open' }, bob(minor))
  expect(view(100_00n).exceeds_payment_cap).toBe(false)
  expect(view(99_99n).exceeds_payment_cap).toBe(true)
})

test('spec §2: every quote has six digits of USDT, two of BOB, four of rate', () => {
  fc.assert(
    fc.property(anyQuote, (any) => {
      const json = quoteToJson(any)
      expect(quote.parse(json)).toEqual(json)
      expect(json.source.amount).toMatch(/^\d+\.\d{6}$/)
      expect(json.fee.amount).toMatch(/^\d+\.\d{6}$/)
      expect(json.target.amount).toMatch(/^\d+\.\d{2}$/)
      expect(json.rate).toMatch(/^\d+\.\d{4}$/)
      const view = quoteViewToJson({ quote: any, status: 'open' }, cap)
      expect(quoteRecord.parse(view)).toEqual(view)
      expect(view.exceeds_payment_cap).toBe(any.target.minor > cap.minor)
      expect(JSON.stringify(view)).not.toContain(any.tenantId)
    }),
  )
})
