import { type ChildProcess, fork } from 'node:child_process'
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Starts a real OpenID provider in a process of its own. */
export async function startProvider(port: number, consoleUrl: string): Promise<ChildProcess> {
  const file = new URL('provider-process.fixture.ts', import.meta.url)
  const callback = `${consoleUrl}/operator/v1/sign-in/callback`
  const child = fork(file, [String(port), callback, `${consoleUrl}/console`], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  return child
}

type Sent = { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: URLSearchParams }

/** A browser: cookies by host and path, redirects, and forms. */
export function testBrowser() {
  const jar = new Map<string, string>()
  const cookiesFor = (url: URL): string =>
    Array.from(jar)
      .filter(([key]) => {
        const [host, path = '/'] = key.split(' ')
        return host === url.host && url.pathname.startsWith(path)
      })
      .map(([key, value]) => `${key.split(' ')[2]}=${value}`)
      .join('; ')
  async function visit(to: string | URL, init: Sent = {}): Promise<{ url: URL; response: Response; text: string }> {
    const url = new URL(to)
    const headers = { ...init.headers, Cookie: cookiesFor(url), 'Sec-Fetch-Site': 'same-origin' }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ')
      const path = attributes.find((each) => /^path=/i.test(each))?.slice(5) ?? '/'
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      jar.set(`${url.host} ${path} ${name}`, value)
    }
    return { url, response, text: await response.text() }
  }
  return {
    visit,
    /** Follows redirects until one leads to a URL that `stop` accepts, or there is none. */
    async follow(to: string | URL, stop: (url: URL) => boolean, init?: Sent) {
      let found = await visit(to, init)
      for (;;) {
        const location = found.response.headers.get('location')
        if (location === null) return { ...found, next: undefined }
        const next = new URL(location, found.url)
        if (stop(next)) return { ...found, next }
        found = await visit(next)
      }
    },
    cookie: (name: string): string | undefined =>
      Array.from(jar).find(([key, value]) => key.endsWith(` ${name}`) && value !== '')?.[1],
  }
}

/** Signs in at the provider's own pages. @returns the callback's URL, not yet visited */
export async function signInAtProvider(
  browser: ReturnType<typeof testBrowser>,
  start: string,
  login: string,
): Promise<URL> {
  const isCallback = (url: URL): boolean => url.pathname === '/operator/v1/sign-in/callback'
  let page = await browser.follow(start, isCallback)
  while (page.next === undefined) {
    const action = /action="([^"]+)"/.exec(page.text)?.[1]
    const prompt = /name="prompt" value="([^"]+)"/.exec(page.text)?.[1]
    if (action === undefined || prompt === undefined)
      throw new Error(`no form at ${page.url.href}: ${page.text.slice(0, 500)}`)
    const body = new URLSearchParams({ prompt, login, password: 'any' })
    page = await browser.follow(new URL(action, page.url), isCallback, { method: 'POST', body })
  }
  return page.next
}

/** How an ID token differs from the true one. */
export type Lie = {
  readonly claims?: Readonly<Record<string, unknown>>
  readonly alg?: 'none' | 'HS256'
  readonly key?: KeyObject
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** An OpenID provider that signs in anybody, and can lie about it. */
export async function lyingProvider() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  let lie: Lie = {}
  let nonce = ''
  const server = createServer((req, res) => void answer(req, res)).listen(0, 'localhost')
  await once(server, 'listening')
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  const tokenOf = (): string => {
    const seconds = Math.floor(Date.now() / 1_000)
    const claims = {
      iss: issuer,
      aud: 'console',
      sub: 'omar',
      preferred_username: 'omar',
      groups: ['payments'],
      nonce,
      iat: seconds,
      exp: seconds + 60,
      ...lie.claims,
    }
    const alg = lie.alg ?? 'RS256'
    const signed = `${encoded({ alg, kid: 'a', typ: 'JWT' })}.${encoded(claims)}`
    if (alg === 'none') return `${signed}.`
    if (alg === 'HS256') return `${signed}.${createHash('sha256').update(signed).digest('base64url')}`
    return `${signed}.${sign('sha256', Buffer.from(signed), lie.key ?? privateKey).toString('base64url')}`
  }
  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? '', issuer)
    const json = (body: object): void => {
      res.setHeader('Content-Type', 'application/json')
      res.end(JSON.stringify(body))
    }
    if (url.pathname === '/.well-known/openid-configuration')
      return json({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256', 'none', 'HS256'],
      })
    if (url.pathname === '/jwks')
      return json({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'a', alg: 'RS256', use: 'sig' }] })
    if (url.pathname === '/token') return json({ access_token: 'a', token_type: 'Bearer', id_token: tokenOf() })
    nonce = url.searchParams.get('nonce') ?? ''
    const to = new URL(url.searchParams.get('redirect_uri') ?? '')
    to.searchParams.set('code', 'a-code')
    to.searchParams.set('state', url.searchParams.get('state') ?? '')
    res.writeHead(302, { Location: to.href }).end()
  }
  return {
    issuer,
    lie: (next: Lie) => void (lie = next),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A key that the provider does not publish. */
export const foreignKey = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
