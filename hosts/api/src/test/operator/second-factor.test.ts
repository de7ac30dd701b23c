import { codeLockMinutes } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { testApi, type TestApi } from '../harness/api.fixture.ts'
import { codeAt, secretOf } from '../harness/second-factor.fixture.ts'
import { useTestApi } from '../harness/use-api.fixture.ts'

const OPERATOR_SIGN_IN_KEY = '07'.repeat(32)
const api = useTestApi('each', { OPERATOR_SIGN_IN_KEY, RATE_LIMIT_FAILED_KEYS: 'off' })

const own = { 'Sec-Fetch-Site': 'same-origin' }
type Headers = Record<string, string>

async function send(at: TestApi, method: string, path: string, headers: Headers, body?: unknown) {
  const response = await fetch(`${at.operatorUrl}/operator/v1${path}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const json = text === '' ? undefined : JSON.parse(text)
  return { response, status: response.status, json, code: json?.error?.code }
}

const signIn = (code?: string, token = 'operators', at: TestApi = api) =>
  send(at, 'POST', '/session', own, { token, ...(code !== undefined && { code }) })

/** The headers of the session's own page. */
async function session(signedIn: ReturnType<typeof signIn>): Promise<Headers> {
  const { response, json } = await signedIn
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';')
  return { ...own, Cookie: cookie, 'X-CSRF-Token': json.csrf_token }
}

/** Enrols and confirms the second factor of who is signed in. */
async function enrol(headers: Headers, at: TestApi = api): Promise<Uint8Array> {
  const { json } = await send(at, 'POST', '/second-factor', headers)
  const secret = secretOf(json.uri)
  const confirmed = await send(at, 'POST', '/second-factor/confirm', headers, { code: codeAt(secret, at) })
  expect(confirmed.status).toBe(200)
  return secret
}

const wrongCode = (secret: Uint8Array): string => String((Number(codeAt(secret, api, 5)) + 1) % 1e6).padStart(6, '0')

test('a person enrols, confirms, and then needs a code; each serves once', async () => {
  const headers = await session(signIn())
  expect((await send(api, 'GET', '/second-factor', headers)).json).toEqual({ confirmed_at: null })
  const { status, json } = await send(api, 'POST', '/second-factor', headers)
  expect(status).toBe(201)
  expect(json).toMatchObject({
    uri: expect.stringMatching(/^otpauth:\/\/totp\/Quipu:omar\?secret=[A-Z2-7]{32}&issuer=Quipu$/),
  })
  expect(json.qr.d).toMatch(/^M4 4\.5h7/)
  expect((await signIn()).status).toBe(201) // It is not confirmed.
  const secret = secretOf(json.uri)
  const code = codeAt(secret, api)
  const confirm = (given: string) => send(api, 'POST', '/second-factor/confirm', headers, { code: given })
  expect((await confirm(wrongCode(secret))).code).toBe('SECOND_FACTOR_WRONG')
  expect((await confirm(code)).status).toBe(200)
  expect((await send(api, 'GET', '/session', headers)).json.has_second_factor).toBe(true)
  expect((await send(api, 'POST', '/second-factor', headers)).code).toBe('SECOND_FACTOR_IN_EFFECT')
  expect((await signIn()).code).toBe('SECOND_FACTOR_REQUIRED')
  expect((await signIn(code)).code).toBe('SECOND_FACTOR_WRONG') // It was used to confirm.
  const next = codeAt(secret, api, 1)
  const results = await Promise.all([signIn(next), signIn(next)])
  expect(results.map((each) => each.status).toSorted()).toEqual([201, 403])
  expect(JSON.stringify(api.lines())).not.toContain(next)
})

test('five wrong codes lock the person for a quarter of an hour, also with a right one', async () => {
  const secret = await enrol(await session(signIn()))
  for (let count = 0; count < 5; count++) expect((await signIn(wrongCode(secret))).code).toBe('SECOND_FACTOR_WRONG')
  expect((await signIn(codeAt(secret, api, 1))).code).toBe('SECOND_FACTOR_LOCKED')
  api.clock.step(codeLockMinutes * 60_000)
  expect((await signIn(codeAt(secret, api))).status).toBe(201)
})

test('an admin removes a lost one, and never the own', async () => {
  const headers = await session(signIn())
  await enrol(headers)
  const remove = (person: string) => api.operator('POST', `/operator/v1/people/${person}/second-factor/remove`)
  expect((await remove('olivia')).code).toBe('SECOND_FACTOR_NOT_FOUND')
  expect((await send(api, 'POST', '/people/omar/second-factor/remove', headers)).code).toBe('ROLE_REQUIRED')
  expect((await remove('omar')).status).toBe(204)
  expect((await send(api, 'GET', '/session', headers)).status).toBe(401)
  expect((await signIn()).status).toBe(201)
  expect((await api.stores.audit.list({ subject: 'omar', limit: 1 }))[0]).toMatchObject({
    actor: 'olivia',
    action: 'second_factor.remove',
  })
})

test.each([
  ['console', 200],
  ['always', 403],
])(
  'with %s a session without one only enrols, and a token alone changes: %s',
  async (OPERATOR_SECOND_FACTOR, status) => {
    const strict = await testApi({ OPERATOR_SIGN_IN_KEY, OPERATOR_SECOND_FACTOR })
    const headers = await session(signIn(undefined, 'operators', strict))
    const pause = (sent: Headers) => send(strict, 'POST', '/rates/pause', sent, { reason: 'Both sources have halted.' })
    expect((await send(strict, 'GET', '/wallets', headers)).status).toBe(200)
    expect((await pause(headers)).code).toBe('SECOND_FACTOR_REQUIRED')
    expect((await pause({ Authorization: 'Bearer operators' })).status).toBe(status)
    await enrol(headers, strict)
    expect((await pause(headers)).status).toBe(200)
    await strict.stop()
  },
)

test('without the key nobody can enrol', async () => {
  const without = await testApi({})
  const headers = await session(signIn(undefined, 'operators', without))
  expect((await send(without, 'POST', '/second-factor', headers)).code).toBe('SECOND_FACTOR_UNAVAILABLE')
  await without.stop()
})

test('a session ends without use; a page that refreshes is none; use and changes are', async () => {
  const headers = await session(signIn())
  const { 'X-CSRF-Token': _, ...reading } = headers
  const isOpen = async (more: Headers = {}) =>
    (await send(api, 'GET', '/wallets', { ...reading, ...more })).status === 200
  const minutes = (count: number): void => api.clock.step(count * 60_000)
  minutes(29)
  expect(await isOpen({ 'X-Person-Active': '1' })).toBe(true)
  minutes(29)
  expect(await isOpen()).toBe(true)
  minutes(1)
  expect(await isOpen()).toBe(false)
})

test('people list and end their own sessions, admins all', async () => {
  await signIn()
  api.clock.step(1_000)
  const victor = await session(signIn(undefined, 'viewers'))
  const all = (await api.operator('GET', '/operator/v1/sessions')).json.data
  expect(all.map(({ person }: { person: string }) => person)).toEqual(['victor', 'omar'])
  const mine = (await send(api, 'GET', '/sessions', victor)).json.data
  expect(mine).toMatchObject([
    { person: 'victor', role: 'viewer', origin: 'token', address: '127.0.0.1', browser: 'node' },
  ])
  const end = (headers: Headers, id: string) => send(api, 'POST', `/sessions/${id}/end`, headers)
  expect((await end(victor, all[1].id)).code).toBe('SESSION_NOT_FOUND')
  expect((await end(victor, mine[0].id)).status).toBe(204)
  expect((await send(api, 'GET', '/sessions', victor)).status).toBe(401)
  expect((await api.operator('POST', `/operator/v1/sessions/${all[1].id}/end`)).status).toBe(204)
  expect((await api.operator('GET', '/operator/v1/sessions')).json.data).toEqual([])
})
