import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { referencePage } from '@quipu/reference'
import { publicOpenApi } from '@quipu/wire'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBrowser } from '@quipu/console/testing'
import { type TestExample, testExample } from './example.fixture.ts'
import { openPage } from './page.fixture.ts'
import { faintTexts, skippedHeadings, unlabelled, uselessLinks } from './readable.fixture.ts'

let browser: Browser
let example: TestExample
/** Another origin with the page, as an API is; what else it is asked for is kept. */
let elsewhere: { readonly server: Server; readonly url: string; readonly asked: string[] }

beforeAll(async () => {
  ;[browser, example] = await Promise.all([startBrowser(), testExample()])
  elsewhere = await serveElsewhere(example.url)
})

afterAll(async () => {
  elsewhere.server.close()
  await browser.close()
  await example.stop()
})

const docs = (): string => `${example.url}/docs`

test('renders from one request, without errors in the console', async () => {
  const { page, requests, consoleErrors } = await openPage(browser, docs())
  const { json } = await example.ask('GET', '/v1/openapi.json')
  const methods = Object.values<object>(json.paths).flatMap((path) => Object.keys(path))

  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Quipu API')
  expect(await page.locator('form[data-path]').count()).toBe(methods.length)
  expect(await page.locator('.event').count()).toBe(Object.keys(json.webhooks).length)
  expect(requests).toEqual([`GET ${docs()}`])
  expect(consoleErrors).toEqual([])
  await page.close()
})

test('reads, quotes and pays a QR, each request prefilled from the answer before', async () => {
  const { page, requests, send } = await openPage(browser, docs())
  expect(await send('resolveQr')).toMatch(/201 Created[^]+"amount": "100\.00"/)

  expect(await send('createQuote')).toMatch(/201 Created[^]+"rate": "9\.\d{4}"/)
  const paid = await send('createPayout')
  expect(paid).toMatch(/201 Created[^]+"status": "completed"/)
  const [, id = ''] = /"id": "(po_\w+)"/.exec(paid) ?? []
  expect(await send('getPayout')).toContain(`"id": "${id}"`)
  expect(requests.at(-1)).toBe(`GET ${example.url}/v1/payouts/${id}`)
  await page.close()
})

test('shows an error answer as such, and states why a request cannot be sent', async () => {
  const { page, at, send } = await openPage(browser, docs())
  await at('createQuote').locator('details.try summary').click()
  await at('createQuote').getByLabel('Body', { exact: true }).fill('{"amount":"5"}')
  expect(await send('createQuote')).toMatch(/400 Bad Request[^]+VALIDATION_FAILED/)
  expect(await at('createQuote').locator('.outcome .problem').count()).toBe(1)

  await page.getByLabel('Key', { exact: true }).fill('qpu_live_of_another')
  expect(await send('getWallet')).toContain('Nothing was sent')
  await page.close()
})

test('the curl command is the request that the form sends', async () => {
  const { page, at } = await openPage(browser, docs())
  const operation = at('listPayouts')
  await operation.locator('details.try summary').click()
  await operation.getByLabel('limit').fill('5')
  await page.getByLabel('Key', { exact: true }).fill('qpu_mock_mine')
  const command = await operation.locator('.curl').innerText()
  expect(command.split(/ \\\n\s*/)).toEqual([
    `curl "${example.url}/v1/payouts?limit=5"`,
    '-H "X-API-Key: qpu_mock_mine"',
  ])
  await page.close()
})

test('the search finds operations, codes and schemas, and has a keyboard shortcut', async () => {
  const { page } = await openPage(browser, docs())
  const entries = page.locator('nav li:visible')
  await page.keyboard.press('/')
  await page.keyboard.type('quote expired')
  expect(await entries.allInnerTexts()).toEqual(['QUOTE_EXPIRED'])
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.locator('[id="error-QUOTE_EXPIRED"] pre').waitFor()
  await page.getByLabel('Search the contents').fill('/v1/payouts/qr')
  expect(await entries.allInnerTexts()).toEqual(['POST\nRead a QR'])
  await page.getByLabel('Search the contents').fill('no such thing')
  expect(await page.getByText('Nothing found.').isVisible()).toBe(true)
  await page.close()
})

test.each(['light', 'dark'] as const)(
  'every text has enough contrast in the %s scheme',
  async (scheme) => {
    const { page } = await openPage(browser, docs(), { colorScheme: scheme })
    await page.evaluate(openEverything)
    expect(await page.evaluate(faintTexts)).toEqual([])
    await page.close()
  },
)

test('nothing is wider than the screen of a phone', async () => {
  const { page, at } = await openPage(browser, docs(), { viewport: { width: 360, height: 740 } })
  await page.evaluate(openEverything)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  expect(await at('contents').getAttribute('open')).not.toBeNull()
  await page.goto(`${docs()}#createQuote`)
  expect(
    await at('createQuote').getByRole('heading', { name: 'Get a firm price' }).isVisible(),
  ).toBe(true)
  await page.close()
})

test('inputs have labels, headings are in order, links resolve, and Tab reaches everything', async () => {
  const { page } = await openPage(browser, docs())
  expect(await page.evaluate(unlabelled)).toEqual([])
  expect(await page.evaluate(skippedHeadings)).toEqual([])
  expect(await page.evaluate(uselessLinks)).toEqual([])
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
  await page.close()
})

test('calls the example server from another origin, and sends each key to its own server only', async () => {
  const { page, consoleErrors, requests, send } = await openPage(browser, `${elsewhere.url}/docs`)
  expect(await send('getWallet')).toContain('enter your key')
  await page.getByLabel('Key', { exact: true }).fill('qpu_test_mine')
  expect(await send('getWallet')).toContain('200 OK')

  await page.getByRole('combobox', { name: 'Server' }).selectOption('Example server')
  expect(await page.getByLabel('Key', { exact: true }).inputValue()).toMatch(/^qpu_mock_/)
  expect(await send('getWallet')).toMatch(/200 OK[^]+"available": "1000\.000000"/)
  expect(requests.at(-1)).toBe(`GET ${example.url}/v1/wallets`)
  expect(elsewhere.asked).toEqual(['/v1/wallets qpu_test_mine'])

  await page.getByRole('combobox', { name: 'Server' }).selectOption('This server')
  expect(await page.getByLabel('Key', { exact: true }).inputValue()).toBe('qpu_test_mine')
  const stored = await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))
  expect(stored).not.toContain('qpu_test_mine')
  expect(stored).toContain('qpu_mock_')
  expect(consoleErrors).toEqual([])
  await page.close()
})

test('the first Send to a server without example QRs uses a QR of that server, which no other server gets', async () => {
  const { page, consoleErrors, send } = await openPage(browser, `${elsewhere.url}/docs`)
  await page.getByLabel('Key', { exact: true }).fill('qpu_test_mine')
  expect(await send('resolveQr')).toContain('201 Created')
  const body = page.locator('[id="createPayout"]').getByLabel('Body', { exact: true })
  expect(await body.inputValue()).toContain(`"content": "${ownQr}"`)

  await page.getByRole('combobox', { name: 'Server' }).selectOption('Example server')
  expect(await body.inputValue()).toContain('"content": "MOCK:CLOSED:100.00"')
  expect(await send('resolveQr')).toContain('201 Created')
  expect(await send('createQuote')).toContain('201 Created')
  expect(await send('createPayout')).toMatch(/201 Created[^]+"status": "completed"/)

  await page.getByRole('combobox', { name: 'Server' }).selectOption('This server')
  expect(await body.inputValue()).toContain(`"content": "${ownQr}"`)
  expect(consoleErrors).toEqual([])
  await page.close()
})

const ownQr = 'a QR of this server'

/** Answers as a sandbox does: it reads only the QRs that it has issued. */
async function sandboxAnswer(path: string, request: IncomingMessage): Promise<[number, object]> {
  const text = Buffer.concat(await request.toArray()).toString()
  const { content } = (text === '' ? {} : JSON.parse(text)) as { content?: string }
  if (path === '/v1/sandbox/qr-codes') return [201, { content: ownQr }]
  if (path !== '/v1/payouts/qr/resolve') return [200, {}]
  return content === ownQr ? [201, {}] : [422, { error: { code: 'QR_REFUSED' } }]
}

/** Runs in the page. */
function openEverything(): void {
  for (const details of document.querySelectorAll('details')) details.open = true
}

async function serveElsewhere(exampleUrl: string): Promise<typeof elsewhere> {
  const asked: string[] = []
  const { html, headers } = referencePage(JSON.stringify(publicOpenApi()), 'v1/openapi.json', [
    { name: 'This server', url: '', examplesFrom: 'createSandboxQr' },
    { name: 'Example server', url: exampleUrl, freeKeyPrefix: 'qpu_mock_' },
  ])
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url = '', headers: sent } = request
    if (url === '/docs') {
      response.writeHead(200, headers).end(html)
      return
    }
    asked.push(`${url} ${String(sent['x-api-key'])}`)
    const [status, json] = await sandboxAnswer(url, request)
    response.writeHead(status).end(JSON.stringify(json))
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
