import type { TenantNotice } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { tenantNoticeToJson } from './tenant-notice-to-json.ts'

const notice: TenantNotice = {
  id: 'ntc_12',
  type: 'api_key.rotated',
  tenantId: 'ten_01KAGZ8M88000000000000000A',
  occurredAt: new Date('2026-11-20T15:04:05.006Z'),
  recipients: [
    { name: 'Ana', email: 'ana@example.com' },
    { name: 'Luz', email: 'luz@example.com' },
  ],
  key: {
    id: 'key_01KAGZ8M88000000000000000A',
    name: 'backend',
    prefix: 'qpu_test_',
    lastFour: '00a1',
    scopes: ['payouts:write'],
    expiresAt: new Date('2026-11-21T15:04:05.006Z'),
    allowedAddresses: ['192.0.2.10'],
    replaces: 'key_01KAGZ8M88000000000000000B',
    replacedBy: 'key_01KAGZ8M88000000000000000C',
  },
}

test('a notice about a key has its record, and whom it is sent to', () => {
  expect(tenantNoticeToJson(notice)).toEqual({
    id: 'ntc_12',
    type: 'api_key.rotated',
    tenant_id: 'ten_01KAGZ8M88000000000000000A',
    occurred_at: '2026-11-20T15:04:05.006Z',
    recipients: notice.recipients,
    api_key: {
      id: 'key_01KAGZ8M88000000000000000A',
      name: 'backend',
      prefix: 'qpu_test_',
      last_four: '00a1',
      scopes: ['payouts:write'],
      expires_at: '2026-11-21T15:04:05.006Z',
      allowed_addresses: ['192.0.2.10'],
      replaces: 'key_01KAGZ8M88000000000000000B',
      replaced_by: 'key_01KAGZ8M88000000000000000C',
    },
  })
})

test('a notice about a key without expiry has null there, and one about no key has no key', () => {
  const key = notice.key && { ...notice.key, expiresAt: null }
  expect(tenantNoticeToJson({ ...notice, key }).api_key).toMatchObject({ expires_at: null })
  expect(tenantNoticeToJson({ ...notice, key: null }).api_key).toBeNull()
})
