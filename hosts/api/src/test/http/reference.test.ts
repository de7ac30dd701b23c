import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { testApi } from '../harness/api.fixture.ts'
import { useTestApi } from '../harness/use-api.fixture.ts'

const api = useTestApi('shared', { EXAMPLE_URL: 'https://example.quipu.test/mock/', RATE_LIMIT_READS: '1' })

const page = async (headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
  fetch(`${api.url}/docs`, { method, headers })

test('the page needs no key and has no rate limit', async () => {
  for (let n = 0; n < 5; n++) {
    const response = await page(n === 4 ? { 'X-API-Key': 'qpu_test_unknown' } : {})
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await response.text()).toContain('<title>Quipu API reference</title>')
  }
})

test('the page is made from the served document', async () => {
  const branded = await testApi({
    WEBHOOK_HEADER_PREFIX: 'X-Acme-',
    WEBHOOK_SOURCE_ADDRESSES: '192.0.2.7, 2001:db8::/32',
  })
  const text = await (await fetch(`${branded.url}/docs`)).text()
  await branded.stop()
  expect(text).toContain('X-Acme-Signature')
  expect(text).not.toContain('X-Service-')
  expect(text).toMatch(/Webhooks come from <code>192\.0\.2\.7<\/code>, <code>2001:db8::\/32<\/code>: let/)
  const { json } = await api.request('GET', '/v1/openapi.json')
  const own = await (await page()).text()
  for (const path of Object.keys(json.paths)) expect(own).toContain(`<code>${path}</code>`)
  expect(own).not.toContain('<code>/v1/mock/')
  expect(own).not.toContain('Webhooks come from')
})

test('every error links to its part of the page, when the URL of the page is set', async () => {
  const documented = await testApi({ DOCS_URL: 'https://api.quipu.test/docs/' })
  const { json } = await documented.request('GET', '/v1/wallets')
  const headers = { 'X-Filler': 'x'.repeat(20_000) }
  const unread = await documented.request('GET', '/v1/wallets', { headers })
  const shown = await (await fetch(`${documented.url}/docs`)).text()
  await documented.stop()
  expect(unread.json.error.doc_url).toBe('https://api.quipu.test/docs#error-HEADERS_TOO_LARGE')
  expect(shown).toMatch(/\sid="error-HEADERS_TOO_LARGE"/)
  expect(json.error.doc_url).toBe('https://api.quipu.test/docs#error-AUTHENTICATION_FAILED')
  expect(shown).toMatch(/\sid="error-AUTHENTICATION_FAILED"/)
  expect((await api.request('GET', '/v1/wallets')).json.error).not.toHaveProperty('doc_url')
})

test('the page in Spanish has the same place names, and what it lacks is on the page in English', async () => {
  const [english, spanish] = await Promise.all(
    ['docs', 'docs-es'].map(async (path) => (await fetch(`${api.url}/${path}`)).text()),
  )
  const anchorsOf = (text = '') => Array.from(text.matchAll(/\sid="([^"]*)"/g), ([, id = '']) => id)
  const targetsOf = (text = '', path: string) =>
    Array.from(text.matchAll(new RegExp(`href="${path}#([^"]*)"`, 'g')), ([, id = '']) => id)
  expect(spanish).toContain('<html lang="es">')
  const guides = Array.from((spanish ?? '').matchAll(/class="guide"[^>]*?\slang="(\w+)"/g), ([, lang]) => lang)
  expect(new Set(guides)).toEqual(new Set(['es']))
  expect(spanish).toMatch(/Códigos de error[^]*La cotización venció[^]*Pida una cotización nueva/)
  const isPlace = (anchor: string) => /^(?:error|review|event|schema)-|^[a-z]+[A-Z]\w+$/.test(anchor)
  expect(anchorsOf(spanish).filter(isPlace)).toEqual(anchorsOf(english).filter(isPlace))
  for (const [own, other, otherPath] of [
    [english, spanish, 'docs-es'],
    [spanish, english, 'docs'],
  ]) {
    expect(own).toContain(`href="${otherPath}"`)
    const away = targetsOf(own, otherPath ?? '')
    expect(away).not.toEqual([])
    expect(away.filter((anchor) => !anchorsOf(other).includes(anchor))).toEqual([])
    expect(targetsOf(own, '').filter((anchor) => !anchorsOf(own).includes(anchor))).toEqual([])
  }
})

test('in the sandbox the page pays a QR; production has no test QR', async () => {
  expect(await (await page()).text()).toContain('Pay a QR in four calls')
  const live = await testApi({ ENVIRONMENT: 'production' })
  expect(await (await fetch(`${live.url}/docs`)).text()).not.toContain('Pay a QR in four calls')
  await live.stop()
})

test('the page loads nothing and calls only this server and the example server', async () => {
  const { headers } = await page()
  const policy = (headers.get('content-security-policy') ?? '').split('; ')
  expect(policy).toContain(`default-src 'none'`)
  expect(policy).toContain(`connect-src 'self' https://example.quipu.test`)
  expect(policy.join()).not.toContain('unsafe')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('the page is sent compressed; a revalidation is a 304', async () => {
  const zipped = await asSent({ 'Accept-Encoding': 'br, gzip' })
  expect(zipped.headers).toMatchObject({
    'content-encoding': 'gzip',
    'content-length': String(zipped.body.length),
    'cache-control': 'no-cache',
    vary: 'Accept-Encoding',
  })
  expect(zipped.body.length).toBeLessThan(300_000)
  const plain = await asSent({})
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(plain.headers['content-length']).toBe(String(plain.body.length))
  expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true)

  const again = await asSent({ 'If-None-Match': zipped.headers.etag ?? '' })
  expect([again.status, again.body.length]).toEqual([304, 0])
  expect((await asSent({ 'If-None-Match': 'W/"another"' })).status).toBe(200)
})

test('other methods and neighbouring paths get the usual answers', async () => {
  const head = await page({}, 'HEAD')
  expect([head.status, await head.text()]).toEqual([200, ''])
  const put = await api.request('PUT', '/docs')
  expect([put.status, put.code, put.headers.get('allow')]).toEqual([405, 'METHOD_NOT_ALLOWED', 'GET, HEAD'])
  const slash = await fetch(`${api.url}/docs/`, { redirect: 'manual' })
  expect([slash.status, slash.headers.get('location')]).toEqual([308, '../docs'])
  expect((await fetch(`${api.url}/docs/`)).url).toBe(`${api.url}/docs`)
  expect((await fetch(`${api.url}/docs/x`)).status).toBe(401)
})

/** The bytes on the wire: `fetch` would decompress and cache them. */
async function asSent(headers: Record<string, string>): Promise<Sent> {
  const sent = request(`${api.url}/docs`, { headers }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const body = Buffer.concat(await answer.toArray())
  return { status: answer.statusCode, headers: answer.headers, body }
}

type Sent = { readonly status: number | undefined } & Pick<IncomingMessage, 'headers'> & { readonly body: Buffer }
