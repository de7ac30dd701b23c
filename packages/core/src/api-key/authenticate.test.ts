import { expect, test } from 'vitest'
import { bob, usdt } from '../money.ts'
import { type ApiKey, type Caller, apiKeyHash, makeApiKey } from './api-key.ts'
import { type ApiKeyScope } from '../access/api-key-scope.ts'
import { authenticate, keyCacheSeconds } from './authenticate.ts'

const start = Date.parse('2026-11-21T00:00:00.000Z')
const zeros = (size: number): Uint8Array => new Uint8Array(size)

function harness(over: Partial<ApiKey> = {}, status: 'active' | 'suspended' = 'active') {
  const { key, ...kept } = makeApiKey('test', zeros)
  const record: ApiKey = {
    ...kept,
    id: 'key_1',
    tenantId: 'ten_1',
    name: 'server',
    scopes: ['payouts:write'] satisfies ApiKeyScope[],
    createdAt: new Date(start),
    activatedAt: new Date(start),
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
    replaces: null,
    allowedAddresses: null,
    ...over,
  }
  const tenant = {
    id: 'ten_1',
    legalName: 'Pagos del Sur S.R.L.',
    technicalContact: { name: 'Rosa', email: 'rosa@pagos.example' },
    status,
    pricing: { marginBps: 0, feeBps: 0, feeFixed: usdt(0n), paymentCap: bob(1n) },
    dailyLimits: { amount: null, count: null },
    createdAt: new Date(start),
    revision: 1,
  }
  const rows = new Map<string, Caller>([[record.hash, { tenant, key: record }]])
  const world = { now: start, lookUps: 0, touched: new Array<number>() }
  const authenticated = authenticate(
    {
      apiKeys: {
        findCaller: async (hash) => {
          world.lookUps += 1
          return rows.get(hash)
        },
        touch: async (_, at) => void world.touched.push(at.getTime() - start),
      },
      now: () => new Date(world.now),
      inBackground: () => undefined,
    },
    'test',
  )
  const who = async (presented: string) => (await authenticated(presented))?.caller
  return { key, record, rows, world, authenticated, who }
}

test('spec §5: a known key has its tenant and scopes; an unknown or overlong one is not authenticated', async () => {
  const { key, record, who } = harness()
  expect(await who(key)).toMatchObject({ tenant: { id: 'ten_1' }, key: record })
  expect(await who(`${key}x`)).toBeUndefined()
  expect(await who('')).toBeUndefined()
  expect(await who(`qpu_test_${'q'.repeat(247)}`)).toBeUndefined()
})

test('a key of 255 characters is looked up, and a longer one is not', async () => {
  const { who, world } = harness()
  expect(await who(`qpu_test_${'q'.repeat(246)}`)).toBeUndefined()
  expect(world.lookUps).toBe(1)
  expect(await who(`qpu_test_${'q'.repeat(247)}`)).toBeUndefined()
  expect(world.lookUps).toBe(1)
})

test('a key of another kind is not looked up', async () => {
  const { who, world } = harness()
  for (const prefix of ['qpu_live_', 'qpu_mock_', 'qpu_tes', ''])
    expect(await who(`${prefix}${'0'.repeat(40)}`)).toBeUndefined()
  expect(world.lookUps).toBe(0)
})

test('a record of another prefix authenticates no key', async () => {
  const { who, key } = harness({ prefix: 'qpu_live_' })
  expect(await who(key)).toBeUndefined()
})

test('caches 10,000 keys, and evicts the oldest for the next', async () => {
  const { who, world, record, rows } = harness()
  const caller = rows.get(record.hash)
  if (!caller) throw new Error('it is there')
  rows.get = () => caller
  for (let n = 0; n < 10_000; n++) await who(`qpu_test_${n}`)
  await who('qpu_test_0')
  expect(world.lookUps).toBe(10_000)
  await who('qpu_test_one_more')
  await who('qpu_test_1')
  expect(world.lookUps).toBe(10_001)
  await who('qpu_test_0')
  expect(world.lookUps).toBe(10_002)
})

test('spec §5: a revoked key, an expired key, one that is not approved, and a suspended tenant’s key are not authenticated', async () => {
  const proposed = harness({ activatedAt: null })
  const revoked = harness({ revokedAt: new Date(start) })
  const expired = harness({ expiresAt: new Date(start) })
  const suspended = harness({}, 'suspended')
  for (const { who, key } of [proposed, revoked, expired, suspended]) expect(await who(key)).toBeUndefined()
})

test('renews an access from the store, or from the cache for 5 s', async () => {
  const { key, record, rows, world, authenticated } = harness()
  const access = await authenticated(key)
  const caller = rows.get(record.hash)
  if (!access || !caller) throw new Error('the key is there')
  const tenant = { ...caller.tenant, revision: 2 }
  rows.set(record.hash, { ...caller, tenant })
  world.now = start + keyCacheSeconds * 1_000 - 1
  expect(await access.renew('cached')).toBe(access.caller)
  expect(await access.renew('stored')).toMatchObject({ tenant: { revision: 2 } })
  expect(world.lookUps).toBe(2)
  world.now = start + 2 * (keyCacheSeconds * 1_000 - 1)
  expect(await access.renew('cached')).toMatchObject({ tenant: { revision: 2 } })
  expect(world.lookUps).toBe(2)
  rows.set(record.hash, { ...caller, tenant: { ...tenant, status: 'suspended' } })
  expect(await access.renew('cached')).toBeDefined()
  expect(await access.renew('stored')).toBeUndefined()
  expect(await access.renew('cached')).toBeUndefined()
})

test('expires cached keys when the clock moves back, and records uses as before', async () => {
  const { key, record, rows, world, who } = harness()
  await who(key)
  world.now = start - 3_600_000
  await who(key)
  expect(world.touched).toEqual([0, -3_600_000])
  const caller = rows.get(record.hash)
  if (!caller) throw new Error('the key is there')
  rows.set(record.hash, { ...caller, key: { ...record, revokedAt: new Date(start) } })
  world.now -= 60_000
  expect(await who(key)).toBeUndefined()
})

test('looks an unknown key up every time, so a new key works at once', async () => {
  const { key, record, rows, who } = harness()
  const caller = rows.get(record.hash)
  rows.delete(record.hash)
  expect(await who(key)).toBeUndefined()
  if (caller) rows.set(record.hash, caller)
  expect(await who(key)).toBeDefined()
})

test('checks the expiry at each use, also of a cached key', async () => {
  const { key, world, who } = harness({ expiresAt: new Date(start + 1_000) })
  expect(await who(key)).toBeDefined()
  world.now = start + 1_000
  expect(await who(key)).toBeUndefined()
})

test('records the last use at most once a minute', async () => {
  const { key, world, who } = harness()
  for (let second = 0; second <= 120; second += 10) {
    world.now = start + second * 1000
    await who(key)
  }
  expect(world.touched).toEqual([0, 60_000, 120_000])
})

test('records no use within a minute of the one that another process recorded', async () => {
  const { key, world, who } = harness({ lastUsedAt: new Date(start - 30_000) })
  for (const second of [0, 29, 30]) {
    world.now = start + second * 1000
    await who(key)
  }
  expect(world.touched).toEqual([30_000])
})

test('a new key has its kind’s prefix and 160 random bits, and its record does not contain it', () => {
  const { key, ...kept } = makeApiKey('live', (size) => new Uint8Array(size).fill(0xab))
  expect(key).toBe(`qpu_live_${'ab'.repeat(20)}`)
  expect(kept).toEqual({ prefix: 'qpu_live_', lastFour: 'abab', hash: apiKeyHash(key) })
  expect(JSON.stringify(kept)).not.toContain('ab'.repeat(10))
})
