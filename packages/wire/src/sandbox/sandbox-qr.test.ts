import { bob, toDecimal } from '@quipu/core'
import { type SandboxQr } from '@quipu/core/adapter'
import { anySandboxQrRequest } from '@quipu/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { issuesOf } from '../list/query.fixture.ts'
import { parseSandboxQrRequest, sandboxQr, sandboxQrToJson } from './sandbox-qr.ts'

const refusal = (body: unknown) => issuesOf(parseSandboxQrRequest(body))
const closed = { amount_mode: 'closed', amount: '100.00' }
const open = { amount_mode: 'open' }

test('a closed QR has an amount, an open one has none; the default scenario is paid', () => {
  const rest = { merchantName: null, description: null, scenario: 'paid' }
  expect(parseSandboxQrRequest(closed)).toEqual({
    ok: true,
    value: { amountMode: 'closed', amount: bob(100_00n), ...rest },
  })
  expect(parseSandboxQrRequest(open)).toEqual({ ok: true, value: { amountMode: 'open', amount: null, ...rest } })
})

test('an amount is required with closed and refused with open', () => {
  expect(refusal({ amount_mode: 'closed' })[0]).toMatch(/^amount is required and must be a decimal/)
  expect(refusal({ ...open, amount: '1.00' })).toEqual([
    'amount is not allowed with amount_mode open; allowed are amount_mode, merchant_name, description, scenario',
  ])
  for (const amount of ['0', '0.00', '1.001', '-1', 1, null]) expect(refusal({ ...closed, amount })).toHaveLength(1)
})

test('reads back every valid request', () => {
  fc.assert(
    fc.property(anySandboxQrRequest, (request) => {
      const body = {
        amount_mode: request.amountMode,
        ...(request.amount && { amount: toDecimal(request.amount) }),
        ...(request.merchantName && { merchant_name: request.merchantName }),
        ...(request.description && { description: request.description }),
        scenario: request.scenario,
      }
      expect(parseSandboxQrRequest(body)).toEqual({ ok: true, value: request })
    }),
  )
})

test('the answer has the content, its meaning and its images', () => {
  const issued: SandboxQr = {
    content: 'MOCK:CLOSED:100.00',
    amountMode: 'closed',
    amount: bob(100_00n),
    merchant: { name: 'Librería', bankCode: '1016' },
    description: null,
    scenario: 'late',
    expiresAt: new Date('2026-11-21T15:04:05Z'),
  }
  const json = sandboxQrToJson(issued, { png: 'data:image/png;base64,AA==', svg: '<svg/>' })
  expect(json).toEqual({
    content: 'MOCK:CLOSED:100.00',
    amount_mode: 'closed',
    amount: { currency: 'BOB', amount: '100.00' },
    merchant: { name: 'Librería', bank_code: '1016' },
    description: null,
    scenario: 'late',
    expires_at: '2026-11-21T15:04:05.000Z',
    png: 'data:image/png;base64,AA==',
    svg: '<svg/>',
  })
  expect(sandboxQr.parse(json)).toEqual(json)
})
