import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testApi, type TestApi } from '../harness/api.fixture.ts'
import { type Reply, sendRequest } from '../harness/http-client.fixture.ts'
import {
  foreignKey,
  freePort,
  type Lie,
  lyingProvider,
  signInAtProvider,
  startProvider,
  testBrowser,
} from './oidc.fixture.ts'

const signInKey = '07'.repeat(32)

/** Settings of a console at this port, and of a provider. */
const settingsOf = (issuer: string, port: number, more: Record<string, string> = {}) => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: 'console',
  OIDC_CLIENT_SECRET: 'the secret of the console',
  OIDC_CONSOLE_URL: `http://127.0.0.1:${port}`,
  OIDC_ROLES: 'quipu-admins=admin,payments=operator',
  OPERATOR_SIGN_IN_KEY: signInKey,
  ...more,
})

type Browser = ReturnType<typeof testBrowser>
const start = (api: TestApi, to = ''): string => `${api.operatorUrl}/operator/v1/sign-in${to}`
const sessionOf = (api: TestApi, browser: Browser) => browser.visit(`${api.operatorUrl}/operator/v1/session`)

describe('a real provider', () => {
  let api: TestApi
  let provider: Awaited<ReturnType<typeof startProvider>>
  beforeAll(async () => {
    const [port, consolePort] = [await freePort(), await freePort()]
    provider = await startProvider(port, `http://127.0.0.1:${consolePort}`)
    const more = { OPERATOR_LISTEN_PORT: String(consolePort), OIDC_LOGOUT: 'true' }
    api = await testApi(settingsOf(`http://localhost:${port}`, consolePort, more))
  })
  afterAll(async () => {
    provider.kill()
    await api.stop()
  })

  /** Signs in, up to the end of the callback. */
  async function signIn(login: string, to = '') {
    const browser = testBrowser()
    const callback = await signInAtProvider(browser, start(api, to), login)
    const { response } = await browser.visit(callback)
    return { browser, callback, location: response.headers.get('location'), cookies: response.headers.getSetCookie() }
  }

  test('signs a person in, with the role of a group, and one of the person’s tokens is the same person', async () => {
    const { browser, location, cookies } = await signIn('Olivia', '?to=/console/payouts?status=processing')
    expect(location).toBe(`${api.operatorUrl}/console/payouts?status=processing`)
    const kept = cookies.find((line) => line.startsWith('quipu_session='))
    expect(kept).toMatch(/^quipu_session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/)
    const { text } = await sessionOf(api, browser)
    const session = JSON.parse(text)
    expect(session).toMatchObject({ person: 'olivia', role: 'admin', origin: 'oidc', has_second_factor: true })
    const tenant = await api.tenant({ funds: 0n })
    const body = { direction: 'in', amount: '5.00', reason: 'A fee.' }
    const { json: proposed } = await api.operator('POST', `/operator/v1/tenants/${tenant.id}/adjustments`, body)
    const approve = `${api.operatorUrl}/operator/v1/proposals/${proposed.id}/approve`
    const { response, text: refused } = await browser.visit(approve, {
      method: 'POST',
      headers: { 'X-CSRF-Token': session.csrf_token },
    })
    expect([response.status, JSON.parse(refused).error.code]).toEqual([403, 'OWN_PROPOSAL'])
  })

  test('refuses a person of no group, or whose name no person can have', async () => {
    for (const [login, problem] of [
      ['nina', 'no_role'],
      ['Not A Name', 'no_name'],
    ] as const) {
      const { browser, location, cookies } = await signIn(login)
      expect(location).toBe(`${api.operatorUrl}/console?sign_in=${problem}`)
      expect(cookies.some((line) => /^quipu_session=./.test(line))).toBe(false)
      expect((await sessionOf(api, browser)).response.status).toBe(401)
    }
  })

  test('refuses a code that was used, and a callback of another browser', async () => {
    const browser = testBrowser()
    const callback = await signInAtProvider(browser, start(api), 'omar')
    const kept = `quipu_sign_in=${browser.cookie('quipu_sign_in')}`
    expect((await browser.visit(callback)).response.headers.get('location')).toBe(`${api.operatorUrl}/console`)
    for (const headers of [{}, { Cookie: kept }]) {
      const { headers: answered } = await fetch(callback, { headers, redirect: 'manual' })
      expect(answered.get('location')).toMatch(/sign_in=refused$/)
      expect(answered.getSetCookie().join()).not.toMatch(/quipu_session=[^;]/)
    }
    const victim = testBrowser()
    const stolen = await signInAtProvider(testBrowser(), start(api), 'omar')
    expect((await victim.visit(stolen)).response.headers.get('location')).toMatch(/sign_in=refused$/)
    await victim.visit(start(api)) // It has begun a sign-in of its own.
    expect((await victim.visit(stolen)).response.headers.get('location')).toMatch(/sign_in=refused$/)
    expect((await sessionOf(api, victim)).response.status).toBe(401)
  })

  test('gives no code for a request without PKCE, or for another callback', async () => {
    const { response } = await testBrowser().visit(start(api))
    const url = new URL(response.headers.get('location') ?? '')
    expect(url.searchParams.get('code_challenge_method')).toBe('S256')
    url.searchParams.delete('code_challenge')
    url.searchParams.delete('code_challenge_method')
    const without = await testBrowser().follow(url, ({ pathname }) => pathname.endsWith('/callback'))
    expect(without.next?.searchParams.get('error')).toBe('invalid_request')
    url.searchParams.set('redirect_uri', 'https://evil.example/callback')
    expect((await testBrowser().visit(url)).response.status).toBe(400)
  })

  test('a sign-in that the person denies ends with a message', async () => {
    const browser = testBrowser()
    const { response } = await browser.visit(start(api))
    const state = new URL(response.headers.get('location') ?? '').searchParams.get('state') ?? ''
    const issuer = new URL(response.headers.get('location') ?? '').origin
    const denied = `${start(api, '/callback')}?error=access_denied&state=${state}&iss=${encodeURIComponent(issuer)}`
    expect((await browser.visit(denied)).response.headers.get('location')).toMatch(/sign_in=denied$/)
  })

  test.each([
    'https://evil.example',
    '//evil.example/console',
    '/console.evil',
    '/operator/v1/me',
    '\\\\evil.example',
    'javascript:1',
  ])('leads from %s to the console', async (to) => {
    const { location } = await signIn('omar', `?to=${encodeURIComponent(to)}`)
    expect(location).toBe(`${api.operatorUrl}/console`)
  })

  test('signing out ends the session, and names where the provider’s ends', async () => {
    const { browser } = await signIn('omar')
    const secret = browser.cookie('quipu_session') ?? ''
    const { csrf_token: csrf } = JSON.parse((await sessionOf(api, browser)).text)
    const { response, text } = await browser.visit(`${api.operatorUrl}/operator/v1/session`, {
      method: 'DELETE',
      headers: { 'X-CSRF-Token': csrf },
    })
    expect(response.status).toBe(200)
    const ended = await browser.visit(JSON.parse(text).provider_url)
    expect([ended.response.status, ended.text]).toEqual([200, expect.stringContaining('sign-out')])
    const headers = { Cookie: `quipu_session=${secret}`, 'Sec-Fetch-Site': 'same-origin' }
    const copied = await fetch(`${api.operatorUrl}/operator/v1/session`, { headers })
    expect(copied.status).toBe(401)
  })

  test('sessions go on without the provider, and a sign-in says that it does not answer', async () => {
    const { browser } = await signIn('omar')
    const away = await testApi(settingsOf('http://localhost:1', 1))
    const { response } = await testBrowser().visit(start(away))
    expect(response.headers.get('location')).toBe('http://127.0.0.1:1/console?sign_in=unreachable')
    await away.stop()
    const callback = await signInAtProvider(browser, start(api), 'omar')
    provider.kill()
    await new Promise((resolve) => provider.once('exit', resolve))
    expect((await browser.visit(callback)).response.headers.get('location')).toMatch(/sign_in=unreachable$/)
    expect((await sessionOf(api, browser)).response.status).toBe(200)
  })
})

describe('a lying provider', () => {
  let api: TestApi
  let provider: Awaited<ReturnType<typeof lyingProvider>>
  beforeAll(async () => {
    provider = await lyingProvider()
    const port = await freePort()
    const more = { OPERATOR_LISTEN_PORT: String(port), CONSOLE_TOKEN_SIGN_IN: 'false', RATE_LIMIT_FAILED_KEYS: 'off' }
    api = await testApi(settingsOf(provider.issuer, port, more))
  })
  afterAll(() => Promise.all([provider.stop(), api.stop()]))

  async function signIn(lie: Lie, changed: (callback: URL) => void = () => undefined): Promise<[string, number]> {
    provider.lie(lie)
    const browser = testBrowser()
    const { next } = await browser.follow(start(api), ({ pathname }) => pathname.endsWith('/callback'))
    if (!next) throw new Error('it leads nowhere')
    changed(next)
    const { response } = await browser.visit(next)
    const location = new URL(response.headers.get('location') ?? '')
    return [location.searchParams.get('sign_in') ?? location.pathname, (await sessionOf(api, browser)).response.status]
  }

  test('signs in while its token is right', async () => {
    expect(await signIn({})).toEqual(['/console', 200])
  })

  const seconds = (offset: number): number => Math.floor(Date.now() / 1_000) + offset
  test.each<[string, () => Lie, string]>([
    ['another issuer', () => ({ claims: { iss: 'https://evil.example' } }), 'refused'],
    ['another audience', () => ({ claims: { aud: 'another' } }), 'refused'],
    ['no audience', () => ({ claims: { aud: undefined } }), 'refused'],
    ['another nonce', () => ({ claims: { nonce: 'x' } }), 'refused'],
    ['no nonce', () => ({ claims: { nonce: undefined } }), 'refused'],
    ['a past end', () => ({ claims: { exp: seconds(-60) } }), 'refused'],
    ['no end', () => ({ claims: { exp: undefined } }), 'refused'],
    ['a clock ahead', () => ({ claims: { nbf: seconds(90), iat: seconds(90), exp: seconds(300) } }), 'refused'],
    ['no signature', () => ({ alg: 'none' }), 'refused'],
    ['a hash in place of a signature', () => ({ alg: 'HS256' }), 'refused'],
    ['another key', () => ({ key: foreignKey() }), 'refused'],
    ['no group', () => ({ claims: { groups: undefined } }), 'no_role'],
    ['another group', () => ({ claims: { groups: ['payments2'] } }), 'no_role'],
    ['no name', () => ({ claims: { preferred_username: undefined } }), 'no_name'],
  ])('with %s opens no session', async (_, lie, problem) => {
    expect(await signIn(lie())).toEqual([problem, 401])
  })

  test('a clock apart by less than half a minute is accepted', async () => {
    expect(await signIn({ claims: { exp: seconds(-20) } })).toEqual(['/console', 200])
  })

  test('a callback with another state or without one opens no session', async () => {
    expect(await signIn({}, (url) => url.searchParams.set('state', 'x'))).toEqual(['refused', 401])
    expect(await signIn({}, (url) => url.searchParams.delete('state'))).toEqual(['refused', 401])
    expect(await signIn({}, (url) => url.searchParams.set('iss', 'https://evil.example'))).toEqual(['refused', 401])
  })

  test('a setting forbids to sign in with a token; programs still present it', async () => {
    const sent = await sendRequest(`${api.operatorUrl}/operator/v1/session`, 'POST', {
      body: { token: 'operators' },
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    })
    expect(reply(sent)).toEqual([401, 'AUTHENTICATION_FAILED'])
    expect((await api.operator('GET', '/operator/v1/me')).status).toBe(200)
    const options = await fetch(`${api.operatorUrl}/operator/v1/sign-in/options`)
    expect(await options.json()).toEqual({ token: false, oidc: true })
  })
})

const reply = ({ status, code }: Reply) => [status, code]
