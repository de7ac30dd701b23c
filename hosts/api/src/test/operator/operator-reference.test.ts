import { expect, test } from 'vitest'
import { testApi } from '../harness/api.fixture.ts'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { sendRequest } from '../harness/http-client.fixture.ts'

const api = useTestApi('shared', { EXAMPLE_URL: 'https://example.quipu.test' })

const page = async (headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${api.operatorUrl}/docs`, { headers })

test('the page of the operator’s document needs no token and shows every operation', async () => {
  const response = await page()
  expect(response.status).toBe(200)
  const html = await response.text()
  expect(html).toContain('<title>Quipu operator API reference</title>')
  const { json } = await api.operator('GET', '/operator/v1/openapi.json')
  for (const path of Object.keys(json.paths)) expect(html).toContain(`<code>${path}</code>`)
  expect(html).toContain('data-key-header="Authorization" data-key-prefix="Bearer "')
})

test('the page loads nothing and calls only the operator listener', async () => {
  const { headers } = await page()
  const policy = (headers.get('content-security-policy') ?? '').split('; ')
  expect(policy).toContain(`default-src 'none'`)
  expect(policy).toContain(`connect-src 'self'`)
  expect(policy.join()).not.toContain('unsafe')
  expect(headers.get('etag')).toMatch(/^W\/"/)
})

test('every error links to its part of the page, when the URL of the page is set', async () => {
  const docsUrl = 'https://operators.quipu.test/docs'
  const documented = await testApi({ OPERATOR_DOCS_URL: docsUrl })
  const unknown = await documented.operator('GET', '/operator/v1/deposits/dep_x')
  const ofTenant = await documented.request('GET', '/v1/wallets')
  const unread = await sendRequest(`${documented.operatorUrl}/operator/v1/tenants`, 'GET', {
    headers: { 'X-Filler': 'x'.repeat(20_000) },
  })
  const html = await (await fetch(`${documented.operatorUrl}/docs`)).text()
  await documented.stop()
  for (const { json, code } of [unknown, unread]) {
    expect(json.error.doc_url).toBe(`${docsUrl}#error-${code}`)
    expect(html).toContain(` id="error-${code}"`)
  }
  expect([unknown.code, unread.code]).toEqual(['DEPOSIT_NOT_FOUND', 'HEADERS_TOO_LARGE'])
  expect(ofTenant.json.error).not.toHaveProperty('doc_url')
})
