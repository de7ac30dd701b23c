import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testApi } from '../harness/api.fixture.ts'
import { steppedClock } from '../harness/clock.fixture.ts'
import { sendRequest } from '../harness/http-client.fixture.ts'
import { rateLimiter } from '@quipu/runtime'
import { defaultRateLimits } from '../../settings/settings.ts'

test('any second admits at most twice the limit, and a caller at the limit is never refused', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 300 }),
      (perSecond, pauses) => {
        const clock = steppedClock()
        const limiter = rateLimiter(perSecond, clock.now)
        const allowed: number[] = []
        for (const pause of pauses) {
          clock.step(pause)
          if (limiter.take('a').isAllowed) allowed.push(clock.now().getTime())
        }
        for (const at of allowed) {
          const inWindow = allowed.filter((other) => other >= at && other < at + 1_000)
          expect(inWindow.length).toBeLessThanOrEqual(2 * perSecond)
        }
        clock.step(1_000)
        for (let i = 0; i < perSecond; i++) expect(limiter.take('a').isAllowed).toBe(true)
        expect(limiter.take('a').isAllowed).toBe(false)
        expect(limiter.take('b').isAllowed).toBe(true)
      },
    ),
  )
})

test('a refusal states exactly when the next request is allowed', () => {
  const clock = steppedClock()
  const limiter = rateLimiter(2, clock.now)
  expect(limiter.take('a')).toMatchObject({ isAllowed: true, remaining: 1 })
  expect(limiter.take('a')).toMatchObject({ isAllowed: true, remaining: 0, resetSeconds: 1 })
  const refused = limiter.take('a')
  expect(refused).toMatchObject({ isAllowed: false, retryAfterSeconds: 1 })
  clock.step(refused.retryAfterSeconds * 1_000)
  expect(limiter.take('a').isAllowed).toBe(true)
})

test('no caller is locked out when the clock is set back', () => {
  const clock = steppedClock()
  const limiter = rateLimiter(2, clock.now)
  for (let i = 0; i < 3; i++) limiter.take('known')
  clock.step(-3_600_000)
  for (const key of ['known', 'new']) {
    expect(limiter.take(key)).toMatchObject({ isAllowed: true, remaining: 1 })
    expect(limiter.take(key)).toMatchObject({ isAllowed: true, remaining: 0 })
    expect(limiter.take(key)).toMatchObject({ isAllowed: false })
  }
})

test('a tenant’s writes are limited: 429, Retry-After, RateLimit; its reads and other tenants are not', async () => {
  const api = await testApi({ RATE_LIMIT_READS: '3', RATE_LIMIT_WRITES: '2' })
  const tenant = await api.tenant()
  const other = await api.tenant()
  const first = await tenant.post('/v1/quotes', {})
  expect(first.status).toBe(400)
  expect(first.headers.get('ratelimit-policy')).toBe('"writes";q=2;w=1')
  expect(first.headers.get('ratelimit')).toBe('"writes";r=1;t=1')
  await tenant.post('/v1/quotes', {})
  const refused = await tenant.post('/v1/quotes', {})
  expect([refused.status, refused.code]).toEqual([429, 'RATE_LIMITED'])
  expect(refused.headers.get('retry-after')).toBe('1')
  expect(refused.headers.get('ratelimit')).toBe('"writes";r=0;t=1')

  const read = await tenant.get('/v1/wallets')
  expect(read.status).toBe(200)
  expect(read.headers.get('ratelimit-policy')).toBe('"reads";q=3;w=1')
  expect((await other.post('/v1/quotes', {})).status).toBe(400)
  api.clock.step(1_000)
  expect((await tenant.post('/v1/quotes', {})).status).toBe(400)
  await api.stop()
})

test('all keys of a tenant share its limits, a key issued later too', async () => {
  const api = await testApi({ RATE_LIMIT_READS: '3', RATE_LIMIT_WRITES: '3' })
  const tenant = await api.tenant()
  const issued = await api.operator('POST', `/operator/v1/tenants/${tenant.id}/api-keys`, {
    name: 'second',
    scopes: ['payouts:write', 'wallet:read'],
  })
  const second: string = issued.json.key
  for (const [method, path] of [
    ['POST', '/v1/quotes'],
    ['GET', '/v1/wallets'],
  ] as const) {
    const statuses = []
    for (const key of [tenant.key, second, tenant.key, second, tenant.key])
      statuses.push((await api.request(method, path, { key, ...(method === 'POST' && { body: {} }) })).status)
    const passes = method === 'POST' ? 400 : 200
    expect(statuses).toEqual([passes, passes, passes, 429, 429])
  }
  await api.stop()
})

test('an address above the limit of unknown keys gets 429 for them; valid keys pass', async () => {
  const api = await testApi({ RATE_LIMIT_FAILED_KEYS: '2' })
  const tenant = await api.tenant()
  const cached = await api.tenant()
  expect((await cached.get('/v1/wallets')).status).toBe(200)
  const bad = () => api.request('GET', '/v1/wallets', { key: 'bad' })
  expect([(await bad()).status, (await bad()).status]).toEqual([401, 401])
  const refused = await bad()
  expect([refused.status, refused.code]).toEqual([429, 'RATE_LIMITED'])
  expect(refused.headers.get('retry-after')).toBe('1')
  for (const { get } of [cached, tenant]) expect((await get('/v1/wallets')).status).toBe(200)
  api.clock.step(1_000)
  expect((await bad()).status).toBe(401)
  await api.stop()
})

test('a valid operator token passes from an address above the limit of unknown tokens', async () => {
  const api = await testApi({ RATE_LIMIT_FAILED_KEYS: '1' })
  const path = '/operator/v1/tenants'
  const bad = () => sendRequest(api.operatorUrl + path, 'GET', { token: 'bad' })
  expect([(await bad()).status, (await bad()).status]).toEqual([401, 429])
  expect((await api.operator('GET', path)).status).toBe(200)
  await api.stop()
})

test.each([
  ['64 bits by default', {}, '2001:db8:0:1::1', '2001:db8:0:1:ffff::2', '2001:db8:0:2::1'],
  [
    'with the configured prefix length',
    { RATE_LIMIT_IPV6_PREFIX: '48' },
    '2001:db8:7:1::1',
    '2001:db8:7:2::1',
    '2001:db8:8:1::1',
  ],
])('IPv6 addresses count by their prefix: %s', async (_, env, one, near, far) => {
  const limits = { RATE_LIMIT_FAILED_KEYS: '1', TRUSTED_PROXIES: '1' }
  const api = await testApi({ ...limits, ...env })
  const from = async (address: string) => {
    const headers = { 'X-Forwarded-For': address }
    const publicly = await api.request('GET', '/v1/wallets', { key: 'bad', headers })
    const path = '/operator/v1/tenants'
    const privately = await sendRequest(api.operatorUrl + path, 'GET', { token: 'bad', headers })
    return [publicly.status, privately.status]
  }
  expect(await from(one)).toEqual([401, 401])
  expect(await from(near)).toEqual([429, 429])
  expect(await from(far)).toEqual([401, 401])
  expect(await from('::ffff:192.0.2.1')).toEqual([401, 401])
  expect(await from('::ffff:192.0.2.2')).toEqual([401, 401])
  expect(await from('192.0.2.1')).toEqual([429, 429])
  await api.stop()
})

test.each([
  ['sandbox', defaultRateLimits.sandbox],
  ['production', defaultRateLimits.production],
])('in %s the limit is %i a second by default', async (ENVIRONMENT, perSecond) => {
  const unset = { RATE_LIMIT_READS: '', RATE_LIMIT_WRITES: '' }
  const api = await testApi({ ENVIRONMENT, ...unset })
  const tenant = await api.tenant()
  const { headers } = await tenant.get('/v1/payouts')
  expect(headers.get('ratelimit-policy')).toBe(`"reads";q=${perSecond};w=1`)
  await api.stop()
})
