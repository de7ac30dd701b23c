import { request } from 'node:http'
import { consoleSessionLife } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { operatorToken } from '../harness/api.fixture.ts'
import { useTestApi } from '../harness/use-api.fixture.ts'

const api = useTestApi('shared', { RATE_LIMIT_FAILED_KEYS: '3' })

type Sent = { method?: string; body?: unknown; headers?: Record<string, string> }

const own = { 'Sec-Fetch-Site': 'same-origin' }

async function send(path: string, { method = 'GET', body, headers = own }: Sent = {}) {
  const response = await fetch(`${api.operatorUrl}/operator/v1${path}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { response, status: response.status, json: text === '' ? undefined : JSON.parse(text) }
}

const signIn = (token = operatorToken, headers: Record<string, string> = own) =>
  send('/session', { method: 'POST', body: { token }, headers })

async function session(token?: string) {
  const { response, json } = await signIn(token)
  const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  return { cookie, csrf: String(json.csrf_token), reading: { ...own, Cookie: cookie } }
}

const pause = { method: 'POST', body: { reason: 'Both sources have halted.' } }
const paused = async (headers: Record<string, string>) => (await send('/rates/pause', { ...pause, headers })).status

test('a session acts as the person of its token', async () => {
  const { json, response } = await signIn('operators')
  expect(json).toMatchObject({ person: 'omar', role: 'operator', rights: ['viewer', 'operator'] })
  expect(json.environment).toBe('sandbox')
  const { cookie, csrf, reading } = await session('operators')
  expect((await send('/session', { headers: reading })).json).toMatchObject({ person: 'omar' })
  expect((await send('/wallets', { headers: reading })).status).toBe(200)
  expect(await paused({ ...own, Cookie: cookie, 'X-CSRF-Token': csrf })).toBe(200)
  const { json: rates } = await send('/rates', { headers: reading })
  expect(rates.quoting).toMatchObject({ status: 'paused', changed_by: 'omar' })
  expect(response.headers.get('set-cookie')).toMatch(
    /^quipu_session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
  )
})

test('a change without the session’s own token, or from another site, is refused', async () => {
  const { cookie, csrf } = await session()
  const other = await session()
  const forged: Record<string, string>[] = [
    { ...own, Cookie: cookie },
    { ...own, Cookie: cookie, 'X-CSRF-Token': other.csrf },
    { Cookie: cookie, 'X-CSRF-Token': csrf, 'Sec-Fetch-Site': 'cross-site' },
    { Cookie: cookie, 'X-CSRF-Token': csrf, 'Sec-Fetch-Site': 'same-site' },
    { Cookie: cookie, 'X-CSRF-Token': csrf, 'Sec-Fetch-Site': 'none' },
  ]
  for (const headers of forged) expect(await paused(headers)).toBe(403)
  const { json } = await send('/rates/pause', { ...pause, headers: { ...own, Cookie: cookie } })
  expect(json.error.code).toBe('CROSS_SITE_REQUEST')
})

test('where a browser does not state the site, the origin decides', async () => {
  const { cookie, csrf } = await session()
  const base = { Cookie: cookie, 'X-CSRF-Token': csrf, 'Sec-Fetch-Site': '' }
  const { 'Sec-Fetch-Site': _, ...older } = base
  // fetch of Node writes `Sec-Fetch-Mode` and no `Sec-Fetch-Site`.
  expect(await paused({ ...older, Origin: api.operatorUrl })).toBe(200)
  expect(await paused({ ...older, Origin: 'https://evil.example' })).toBe(403)
  expect(await paused({ ...older, Origin: 'null' })).toBe(403)
  expect(await paused(older)).toBe(403)
})

test('another site neither reads nor signs a person in', async () => {
  const { cookie } = await session()
  const crossing = { Cookie: cookie, 'Sec-Fetch-Site': 'cross-site' }
  expect((await send('/wallets', { headers: crossing })).status).toBe(403)
  expect((await send('/session', { headers: crossing })).status).toBe(403)
  expect((await signIn(operatorToken, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
  const entered = { Cookie: cookie, 'Sec-Fetch-Site': 'none' }
  expect((await send('/wallets', { headers: entered })).status).toBe(200)
})

test('a session ends when the person signs out, and a copy of its cookie with it', async () => {
  const { cookie, csrf, reading } = await session()
  const signedOut = await send('/session', {
    method: 'DELETE',
    headers: { ...own, Cookie: cookie, 'X-CSRF-Token': csrf },
  })
  expect(signedOut.status).toBe(204)
  expect(signedOut.response.headers.get('set-cookie')).toMatch(/^quipu_session=; Max-Age=0;/)
  expect((await send('/wallets', { headers: reading })).status).toBe(401)
})

test('a session ends after its longest life and with its token', async () => {
  const before = await session('viewers')
  api.clock.step(consoleSessionLife.maxMinutes * 60_000)
  expect((await send('/wallets', { headers: before.reading })).status).toBe(401)
  const { reading } = await session('viewers')
  expect((await send('/wallets', { headers: reading })).status).toBe(200)
  const { json } = await api.operator('GET', '/operator/v1/operator-tokens?limit=100')
  const token = json.data.find(({ person }: { person: string }) => person === 'victor')
  await api.operator('POST', `/operator/v1/operator-tokens/${token.id}/revoke`)
  expect((await send('/wallets', { headers: reading })).status).toBe(401)
})

/** Signs in with a `Host`, which `fetch` does not send. */
const signInAt = (headers: Record<string, string>): Promise<[status: number, cookie: string]> =>
  new Promise((resolve, reject) => {
    const url = new URL(`${api.operatorUrl}/operator/v1/session`)
    const all = { ...own, 'Content-Type': 'application/json', ...headers }
    const sent = request(url, { method: 'POST', headers: all }, (reply) => {
      reply.resume()
      resolve([reply.statusCode ?? 0, String(reply.headers['set-cookie'])])
    })
    sent.on('error', reject)
    sent.end(JSON.stringify({ token: operatorToken }))
  })

test.each([
  [{ Host: 'ops.example' }, /^__Host-quipu_session=.*; Secure$/],
  [{ Host: 'ops.example', Origin: 'https://ops.example' }, /^__Host-quipu_session=.*; Secure$/],
  [{ Host: 'localhost:8443', Origin: 'https://localhost:8443' }, /^quipu_session=.*; Secure$/],
  [{ Host: 'localhost:8080', Origin: 'http://localhost:8080' }, /^quipu_session=.*SameSite=Strict$/],
])('the cookie is Secure wherever the page came over https: %j', async (headers, cookie) => {
  expect(await signInAt(headers)).toEqual([201, expect.stringMatching(cookie)])
})

test('a sign-in through a proxy that rewrites Host is refused', async () => {
  const rewritten = { Host: '127.0.0.1:5301', Origin: 'https://console.example.com' }
  expect(await signInAt({ ...rewritten, 'X-Forwarded-Proto': 'https' })).toEqual([400, 'undefined'])
})

test('a cookie without a session is limited at the session too, and not logged as a failed login', async () => {
  for (const method of ['GET', 'DELETE']) {
    api.clock.step(10_000)
    const headers = { ...own, Cookie: `quipu_session=${'b'.repeat(43)}` }
    const statuses = []
    for (let at = 0; at < 5; at++) statuses.push((await send('/session', { method, headers })).status)
    expect(statuses[0], method).toBe(method === 'GET' ? 401 : 204)
    expect(statuses.at(-1), method).toBe(429)
    expect((await send('/session', { method: 'GET', headers: own })).status).toBe(401)
  }
})

test('failed sign-ins are limited and logged, ended sessions only limited', async () => {
  const failures = async () =>
    (await api.operator('GET', '/operator/v1/audit-log?action=operator.fail_login&limit=100')).json.data.length
  const logged = await failures()
  api.clock.step(10_000)
  const ended = { ...own, Cookie: `quipu_session=${'a'.repeat(43)}` }
  expect((await send('/wallets', { headers: ended })).status).toBe(401)
  expect(await failures()).toBe(logged)
  api.clock.step(10_000)
  const statuses = []
  for (let at = 0; at < 5; at++) statuses.push((await signIn('wrong')).status)
  expect(statuses).toContain(401)
  expect(statuses.at(-1)).toBe(429)
  await api.settled()
  expect(await failures()).toBe(logged + 1)
})

test('the page is served at every path of the console with its policy', async () => {
  for (const path of ['', '/', '/payouts/po_1']) {
    const { headers, status } = await fetch(`${api.operatorUrl}/console${path}`)
    expect(status).toBe(200)
    const policy = (headers.get('content-security-policy') ?? '').split('; ')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy.join()).not.toContain('unsafe')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  }
  const missing = await fetch(`${api.operatorUrl}/console/assets/nothing.js`)
  expect(missing.status).toBe(404)
  const home = await fetch(api.operatorUrl, { redirect: 'manual' })
  expect([home.status, home.headers.get('location')]).toEqual([302, '/console'])
})
