import { expect, test } from 'vitest'
import { type Operator, Unauthorized } from '../access/operator.ts'
import { countingIds } from '../ids.fixture.ts'
import { noDailyUse } from '../limit/daily-limits.ts'
import { tenant } from '../tenant/tenant.fixture.ts'
import { type ApiKey, makeApiKey } from './api-key.ts'
import { manageApiKeys } from './manage-api-keys.ts'
import type { ApiKeyStore } from './ports.ts'

const at = (days: number): Date => new Date(Date.UTC(2026, 10, 21) + days * 86_400_000)
const now = at(10)
const ana: Operator = { person: 'ana', role: 'operator', tokenHash: 'hash of ana' }

const stored: ApiKey = {
  ...makeApiKey('test', (size) => new Uint8Array(size)),
  id: 'key_1',
  tenantId: 'ten_1',
  name: 'server',
  scopes: ['payouts:read'],
  createdAt: at(0),
  activatedAt: at(0),
  lastUsedAt: at(9),
  expiresAt: at(30),
  revokedAt: null,
  replaces: null,
  allowedAddresses: ['192.0.2.1'],
}

/** API keys over a store with one key, whose writes have this result. */
function managing(record: Partial<ApiKey> = {}, result: 'committed' | 'stale' | 'unauthorized' = 'committed') {
  const unused = () => expect.fail('it is not called')
  const apiKeys: ApiKeyStore = {
    issue: async () => (result === 'stale' ? unused() : result),
    propose: unused,
    setAllowedAddresses: async () => result,
    revoke: unused,
    find: async () => ({ ...stored, ...record }),
    findCaller: unused,
    list: unused,
    revokeOwn: unused,
    rotateOwn: unused,
    touch: unused,
  }
  const tenants = { find: async () => ({ ...tenant, usedToday: noDailyUse }) }
  const ports = { apiKeys, tenants, ids: countingIds(), random: (size: number) => new Uint8Array(size), now: () => now }
  return manageApiKeys(ports, 'test')
}

test('a rotation issues a key with the name, rights and life of the old one', async () => {
  const { name, scopes, allowedAddresses } = stored
  const replaces = { keyId: 'key_1', overlapSeconds: 60 }
  const record = { name, scopes, allowedAddresses, replaces, createdAt: now, activatedAt: now, lastUsedAt: null }
  expect(await managing().rotate(ana, 'key_1', 60)).toMatchObject({ record: { ...record, expiresAt: at(40) } })
  const endless = await managing({ expiresAt: null }).rotate(ana, 'key_1', 60)
  expect(endless).toMatchObject({ record: { ...record, expiresAt: null } })
})

test.each<Partial<ApiKey>>([{ expiresAt: now }, { revokedAt: at(9) }, { activatedAt: null }])(
  'a key with %j is not rotated',
  async (record) => {
    const answer = await managing(record).rotate(ana, 'key_1', 60)
    expect(answer).toEqual({ type: 'refused', code: 'not_active' })
  },
)

test('the addresses of a key that is revoked meanwhile are not set, nor without a token', async () => {
  const set = (result: 'stale' | 'unauthorized') => managing({}, result).setAllowedAddresses(ana, 'key_1', null)
  expect(await set('stale')).toBe('not_found')
  await expect(set('unauthorized')).rejects.toThrow(Unauthorized)
})
