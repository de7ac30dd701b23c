import { bob, type Resolution } from '@quipu/core'
import { anyResolution } from '@quipu/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseResolveRequest, resolution, resolutionToJson } from './resolution.ts'

function refusal(body: unknown): string[] {
  const parsed = parseResolveRequest(body)
  return parsed.ok ? [] : parsed.issues.map(({ field, message }) => `${field} ${message}`)
}

test('a resolve request is content of 1 to 500 characters, and nothing else', () => {
  expect(parseResolveRequest({ content: ' x ' })).toEqual({ ok: true, value: { content: ' x ' } })
  expect(refusal({ content: 'ñ'.repeat(500) })).toEqual([])
  const rule = 'content must be a string of 1 to 500 characters, without NUL or unpaired surrogates'
  for (const content of ['', 'x'.repeat(501), 'x\u0000', '\uD83E', null, 1])
    expect(refusal({ content })).toEqual([rule])
  expect(refusal({})).toEqual([rule.replace('content', 'content is required and')])
  expect(refusal({ content: 'x', amount: '1' })).toEqual(['amount is not allowed here; allowed are content'])
})

const read: Resolution = {
  id: 'qrr_01KAGZ8M88000000000000000B',
  tenantId: 'ten_1',
  contentHash: 'HASH',
  networkRef: 'REFERENCE',
  amountMode: 'closed',
  amount: bob(100_00n),
  merchant: { name: 'Librería', bankCode: '1016' },
  description: 'Order 1',
  expiresAt: new Date('2026-11-21T00:00:00Z'),
  createdAt: new Date('2026-11-20T15:04:05.006Z'),
}

test('a resolution shows the QR’s content, and nothing of the network’s', () => {
  expect(resolutionToJson(read)).toEqual({
    resolution_id: 'qrr_01KAGZ8M88000000000000000B',
    amount_mode: 'closed',
    amount: { currency: 'BOB', amount: '100.00' },
    merchant: { name: 'Librería', bank_code: '1016' },
    description: 'Order 1',
    expires_at: '2026-11-21T00:00:00.000Z',
    created_at: '2026-11-20T15:04:05.006Z',
  })
})

test('an open QR has a null amount', () => {
  const open = { ...read, amountMode: 'open', amount: null, description: null, expiresAt: null } as const
  expect(resolutionToJson(open)).toMatchObject({
    amount_mode: 'open',
    amount: null,
    description: null,
    expires_at: null,
  })
})

test('every resolution satisfies its schema', () => {
  fc.assert(
    fc.property(anyResolution('ten_1'), (any) => {
      const json = resolutionToJson(any)
      expect(resolution.parse(json)).toEqual(json)
    }),
  )
})
