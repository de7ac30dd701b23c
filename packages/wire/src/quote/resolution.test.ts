import { bob, type Resolution } from '@quipu/core'
import { expect, test } from 'vitest'
import { resolutionToJson } from './resolution.ts'

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
