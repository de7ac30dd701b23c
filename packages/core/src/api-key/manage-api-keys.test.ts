import { describe, expect, test } from 'vitest'
import { countingIds } from '../ids.fixture.ts'
import { type Operator, type OperatorRole, Unauthorized } from '../access/operator.ts'
import { type ApiKey, type ApiKeyKind, makeApiKey } from './api-key.ts'
import { type IssueApiKeyAnswer, manageApiKeys } from './manage-api-keys.ts'
import type { ApiKeyStore } from './ports.ts'
import { tenant } from '../tenant/tenant.fixture.ts'

const at = (days: number): Date => new Date(Date.UTC(2026, 10, 21) + days * 86_400_000)
const now = at(10)
const operator = (role: OperatorRole): Operator => ({ person: `the ${role}`, role, tokenHash: `hash of the ${role}` })
const note = { reason: 'a leak', evidence: { note: 'mail', digest: 'ab'.repeat(32) } }

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

type Result = 'committed' | 'stale' | 'unauthorized'

/** API keys over a store with one key, and what was written to it. */
function harness(
  { kind = 'test', result = 'committed' }: { kind?: ApiKeyKind; result?: Result } = {},
  record: Partial<ApiKey> = {},
) {
  const written: unknown[] = []
  const write =
    <R>(name: string, answer: R) =>
    async (...args: unknown[]): Promise<R> => {
      written.push([name, ...args])
      return answer
    }
  const refusedOr = result === 'stale' ? 'unauthorized' : result
  const apiKeys: ApiKeyStore = {
    issue: write('issue', refusedOr),
    propose: write('propose', refusedOr),
    setAllowedAddresses: write('setAllowedAddresses', result),
    revoke: write('revoke', 'stale' as const),
    find: async (id) => (id === 'key_1' ? { ...stored, ...record } : undefined),
    findCaller: () => expect.fail('it is not looked up'),
    list: () => expect.fail('it is not listed'),
    revokeOwn: () => expect.fail('a tenant calls it'),
    rotateOwn: () => expect.fail('a tenant calls it'),
    touch: () => expect.fail('it is not used'),
  }
  const tenants = {
    find: async (id: string) => (id === tenant.id ? { ...tenant, usedToday: { amount: noUsdt, count: 0 } } : undefined),
  }
  const random = (size: number) => new Uint8Array(size).fill(0xab)
  const ports = { apiKeys, tenants, ids: countingIds(), random, now: () => now }
  return { keys: manageApiKeys(ports, kind), written }
}
const noUsdt = { currency: 'USDT', minor: 0n } as const
const refused = (code: string) => ({ type: 'refused', code })
const issuedOf = (answer: IssueApiKeyAnswer) => (answer.type === 'issued' ? answer : expect.fail(answer.code))

describe('issuing', () => {
  const input = { name: 'reports', scopes: ['wallet:read'], expiresAt: at(11) } as const

  test('a key that pays takes an admin, also in the sandbox', async () => {
    const { keys, written } = harness()
    const issue = (role: OperatorRole) => keys.issue(operator(role), 'ten_1', { ...input, scopes: ['payouts:write'] })
    expect(await issue('operator')).toEqual(refused('needs_admin'))
    expect(written).toEqual([])
    expect(issuedOf(await issue('admin')).record.activatedAt).toEqual(now)
  })

  test('is refused when the store knows no such active token', async () => {
    for (const kind of ['test', 'live'] as const) {
      const { keys } = harness({ kind, result: 'unauthorized' })
      const scopes = ['payouts:write'] as const
      const answer = keys.issue(operator('admin'), 'ten_1', { ...input, scopes }, note)
      await expect(answer).rejects.toThrow(Unauthorized)
    }
  })
})

const makeRecord = (kind: ApiKeyKind) => {
  const { prefix, lastFour, hash } = makeApiKey(kind, (size) => new Uint8Array(size).fill(0xab))
  return { prefix, lastFour, hash }
}

describe('rotating', () => {
  test('issues a key with the name, rights and life of the one that it replaces', async () => {
    const { keys, written } = harness()
    const { key, record, proposal } = issuedOf(await keys.rotate(operator('operator'), 'key_1', 86_400))
    expect(key).toBe(`qpu_test_${'ab'.repeat(20)}`)
    expect(record).toEqual({
      ...makeRecord('test'),
      id: expect.stringMatching(/^key_.{26}$/),
      tenantId: 'ten_1',
      name: 'server',
      scopes: ['payouts:read'],
      createdAt: now,
      activatedAt: now,
      lastUsedAt: null,
      revokedAt: null,
      expiresAt: at(40),
      allowedAddresses: ['192.0.2.1'],
      replaces: { keyId: 'key_1', overlapSeconds: 86_400 },
    })
    expect(proposal).toBeNull()
    expect(written).toEqual([['issue', record, operator('operator')]])
  })

  test('a key without an expiry is replaced by one without', async () => {
    const { keys } = harness({}, { expiresAt: null })
    const { record } = issuedOf(await keys.rotate(operator('operator'), 'key_1', 0))
    expect(record).toMatchObject({ expiresAt: null, replaces: { overlapSeconds: 0 } })
  })

  test('is refused for a key that is unknown, or does not work', async () => {
    const rotate = async (record: Partial<ApiKey>, id = 'key_1') => {
      const { keys, written } = harness({}, record)
      const answer = await keys.rotate(operator('admin'), id, 86_400, note)
      expect(written).toEqual([])
      return answer
    }
    expect(await rotate({}, 'key_2')).toEqual(refused('not_found'))
    for (const record of [{ expiresAt: now }, { revokedAt: at(9) }, { activatedAt: null }])
      expect(await rotate(record)).toEqual(refused('not_active'))
  })

  test('a live key that pays is proposed by an admin, with a note', async () => {
    const live: Partial<ApiKey> = { scopes: ['payouts:write'], prefix: 'qpu_live_' }
    const { keys, written } = harness({ kind: 'live' }, live)
    const admin = operator('admin')
    expect(await keys.rotate(operator('operator'), 'key_1', 86_400, note)).toEqual(refused('needs_admin'))
    expect(await keys.rotate(admin, 'key_1', 86_400)).toEqual(refused('needs_note'))
    expect(written).toEqual([])
    const { record, proposal } = issuedOf(await keys.rotate(admin, 'key_1', 86_400, note))
    expect(record).toMatchObject({ ...makeRecord('live'), activatedAt: null })
    expect(proposal).toEqual({
      id: expect.stringMatching(/^prp_.{26}$/),
      tenantId: 'ten_1',
      proposedBy: 'the admin',
      createdAt: now,
      status: 'open',
      ...note,
      expiresAt: at(13),
      action: {
        type: 'issue_api_key',
        keyId: record.id,
        name: 'server',
        lastFour: 'abab',
        scopes: ['payouts:write'],
        expiresAt: at(40),
        allowedAddresses: ['192.0.2.1'],
        replaces: { keyId: 'key_1', overlapSeconds: 86_400 },
      },
    })
    expect(written).toEqual([['propose', record, proposal, operator('admin')]])
  })
})

describe('setting the allowed addresses', () => {
  const addresses = ['198.51.100.7']

  test('answers the record with them', async () => {
    const { keys, written } = harness()
    const admin = operator('admin')
    expect(await keys.setAllowedAddresses(admin, 'key_1', addresses)).toEqual({
      ...stored,
      allowedAddresses: addresses,
    })
    const by = { ...admin, at: now }
    expect(written).toEqual([['setAllowedAddresses', stored, addresses, by]])
    expect(await keys.setAllowedAddresses(admin, 'key_1', null)).toMatchObject({ allowedAddresses: null })
  })

  test('is refused for a key that is unknown or revoked meanwhile, and without a token', async () => {
    const set = (result: Result, id = 'key_1') =>
      harness({ result }).keys.setAllowedAddresses(operator('admin'), id, addresses)
    expect(await set('committed', 'key_2')).toBe('not_found')
    expect(await set('stale')).toBe('not_found')
    await expect(set('unauthorized')).rejects.toThrow(Unauthorized)
  })
})
