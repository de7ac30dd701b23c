import { expect, test } from 'vitest'
import type { ApiKey } from '../api-key/api-key.ts'
import { keyIssued } from '../api-key/audit-api-key.ts'
import type { AuditRecord } from '../audit/ports.ts'
import { isNoticed, tenantNotice } from './notice.ts'
import { originOf } from '../audit/operator.fixture.ts'

const at = new Date('2026-11-20T10:00:00.000Z')
const contact = { name: 'Eva', email: 'eva@tenant.example' }
const key: ApiKey = {
  id: 'key_1',
  tenantId: 'ten_1',
  name: 'tills',
  prefix: 'qpu_live_',
  lastFour: 'c0de',
  hash: 'the hash',
  scopes: ['payouts:read'],
  createdAt: at,
  activatedAt: at,
  lastUsedAt: null,
  expiresAt: new Date('2026-12-01T00:00:00.000Z'),
  revokedAt: null,
  replaces: null,
  allowedAddresses: ['192.0.2.10'],
}
const record = (entry: Omit<AuditRecord, 'id' | 'hash'>): AuditRecord => ({ ...entry, id: 42n, hash: '0'.repeat(64) })
const issue = record(keyIssued({ ...key, allowedAddresses: null }, { ...originOf('ana'), at }, null))

test('a notice has what its entry states, whatever changed since, and neither secret nor operator', () => {
  const now = { ...key, expiresAt: new Date('2026-11-21T00:00:00.000Z') }
  const notice = tenantNotice({ entry: issue, key: now, contact })
  expect(notice).toEqual({
    id: 'ntc_42',
    type: 'api_key.issued',
    tenantId: 'ten_1',
    occurredAt: at,
    recipients: [contact],
    key: {
      id: 'key_1',
      name: 'tills',
      prefix: 'qpu_live_',
      lastFour: 'c0de',
      scopes: ['payouts:read'],
      expiresAt: key.expiresAt,
      allowedAddresses: null,
      replaces: null,
      replacedBy: null,
    },
  })
  expect(JSON.stringify(notice)).not.toMatch(/ana|the hash/)
})

test('the notice of an expiry is dated seven days before it, and has an id of its own', () => {
  const notice = tenantNotice({ entry: null, key, contact })
  expect(notice).toMatchObject({
    id: 'ntc_key_1_1796083200000',
    type: 'api_key.expires_soon',
    occurredAt: new Date('2026-11-24T00:00:00.000Z'),
  })
  const keyless = { ...key, expiresAt: null }
  expect(() => tenantNotice({ entry: null, key: keyless, contact })).toThrow(/needs a key/)
})

test('other changes of a tenant, and refusals, have no notice', () => {
  const state = { contact_name: 'Eva', contact_email: 'eva@tenant.example', margin_bps: 1 }
  const about: AuditRecord = { ...issue, action: 'tenant.update', before: state }
  const changed = (after: object) => isNoticed({ ...about, after: { ...state, ...after } })
  expect(changed({ margin_bps: 2 })).toBe(false)
  expect(changed({ contact_name: 'Iva' })).toBe(true)
  expect(changed({ contact_email: 'iva@tenant.example' })).toBe(true)
  const refused: AuditRecord = { ...about, action: 'operator.refuse', after: { contact_name: 'Iva' } }
  expect(isNoticed(refused)).toBe(false)
  expect(() => tenantNotice({ entry: refused, key: null, contact })).toThrow(/has no notice/)
})
