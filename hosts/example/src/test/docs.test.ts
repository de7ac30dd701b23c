import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import type { AddressInfo } from 'node:net'
import { referencePage } from '@quipu/reference'
import { publicOpenApi } from '@quipu/wire'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inaccessible, startBrowser } from '@quipu/console/testing'
import { type TestExample, testExample } from './example.fixture.ts'
import { isAtHand, languages } from './other-languages.fixture.ts'
import { openPage } from './page.fixture.ts'
import { faintTexts, skippedHeadings, unlabelled, uselessLinks } from './readable.fixture.ts'

const runFile = promisify(execFile)

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
  expect(await page.locator('.operation.request form').count()).toBe(methods.length)
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

test('the code is the request that the form sends, in the language that was chosen last', async () => {
  const { page, at } = await openPage(browser, docs())
  const operation = at('listPayouts')
  const code = operation.locator('.sample pre')
  await operation.locator('details.try summary').click()
  await operation.getByLabel('limit').fill('5')
  await page.getByLabel('Key', { exact: true }).fill('qpu_mock_mine')
  expect((await code.innerText()).split(/ \\\n\s*/)).toEqual([
    `curl "${example.url}/v1/payouts?limit=5"`,
    '-H "X-API-Key: qpu_mock_mine"',
  ])
  await operation.getByRole('button', { name: 'TypeScript' }).click()
  expect(await code.innerText()).toContain(
    'for await (const item of client.payouts.list({ limit: 5 }))',
  )
  await page.reload()
  expect(await at('getWallet').locator('.sample pre').innerText()).toContain('client.wallets.get()')
  await at('getWallet').getByRole('button', { name: 'Python' }).click()
  expect(await code.innerText()).toContain('urllib.request.urlopen(request')
  await page.close()
})

const pythons = languages.filter((language) => language.name === 'Python' && isAtHand(language))

test('the shown code runs: curl, and Python where it is at hand', async () => {
  const { page, at } = await openPage(browser, docs())
  const code = at('resolveQr').locator('.sample pre')
  const ran = await runFile('sh', ['-c', await code.innerText()])
  expect(ran.stdout).toContain('"resolution_id":"qrr_')
  await at('resolveQr').getByRole('button', { name: 'Python' }).click()
  const program = await code.innerText()
  for (const { command, variable } of pythons)
    expect((await runFile(process.env[variable] ?? command, ['-c', program])).stdout).toMatch(
      /^201 \{"resolution_id":"qrr_/,
    )
  await page.close()
})

const schemes = ['light', 'dark'] as const

describe.each([
  [
    'desktop',
    { width: 1440, height: 900 },
    [['#walk', '#createPayout', '#errors-list', 'header'], ['#guide-webhooks']],
  ],
  [
    'phone',
    { width: 360, height: 740 },
    [['#walk', 'header'], ['#createPayout'], ['#errors-list'], ['#guide-webhooks']],
  ],
] as const)('on a %s', (_, viewport, views) => {
  test('in either scheme the walk pays a QR, each step with the answers before it', async () => {
    const { page, at, consoleErrors } = await openPage(browser, `${docs()}#walk`, { viewport })
    const paidIds = new Set<string>()
    for (const [colorScheme, available] of [
      ['light', '989.796647'],
      ['dark', '979.593294'],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.getByRole('button', { name: 'Run all 6 steps' }).click()
      await page.getByText('Done.').waitFor()
      const paid = await at('walk-4').locator('.outcome').innerText()
      const [, id = ''] = /"id": "(po_\w+)"/.exec(paid) ?? []
      const [, resolution = ''] = /"resolution_id": "(qrr_\w+)"/.exec(paid) ?? []
      expect(paid).toMatch(/"status": "completed"/)
      expect(await at('walk-2').locator('.outcome').innerText()).toContain(resolution)
      expect(await at('walk-3').locator('.sample').innerText()).toContain(resolution)
      expect(await at('walk-5').locator('.outcome').innerText()).toContain(
        `"available": "${available}"`,
      )
      expect(await at('walk-6').locator('.outcome').innerText()).toContain(id)
      paidIds.add(id)
    }
    expect(paidIds.size).toBe(2)
    expect(consoleErrors).toEqual([])
    await page.close()
  })

  test('the search finds codes, members, texts and guides by keyboard', async () => {
    const { page, at } = await openPage(browser, docs(), { viewport })
    const results = page.locator('#results').getByRole('option')
    const search = page.locator('#search-box')
    await page.keyboard.press('/')
    await page.keyboard.type('quote expired')
    expect(await results.first().innerText()).toContain('QUOTE_EXPIRED')
    await page.keyboard.press('Enter')
    await at('error-QUOTE_EXPIRED').getByText('What to do').first().waitFor()
    expect(await search.inputValue()).toBe('')

    await page.keyboard.press('/')
    await page.keyboard.type('payment_cap')
    expect(await results.first().innerText()).toMatch(/payment_cap\s+Member of Wallet/)
    await search.fill('constant time')
    const found = await results.allInnerTexts()
    const guide = found.findIndex((text) => text.includes('Guide:'))
    for (let step = 0; step < guide; step++) await search.press('ArrowDown')
    await search.press('Enter')
    expect(new URL(page.url()).hash).toMatch(/^#guide-/)
    await page.locator('.guide:visible').waitFor()

    await page.keyboard.press('/')
    await search.fill('qwertzuiop')
    expect(await page.getByText('Nothing found.').isVisible()).toBe(true)
    await search.press('Escape')
    expect(await page.getByText('Nothing found.').isVisible()).toBe(false)
    await page.close()
  })

  test('axe finds nothing serious in either scheme', async () => {
    const { page } = await openPage(browser, docs(), { viewport })
    const flaws: string[] = []
    const check = async (...parts: readonly string[]): Promise<void> => {
      // A scheme sets colours alone, so the other rules find the same in both.
      for (const [colorScheme, rules] of [
        ['light', 'all'],
        ['dark', 'colours'],
      ] as const) {
        await page.emulateMedia({ colorScheme })
        const found = await inaccessible(page, rules, parts.join())
        flaws.push(...found.map((flaw) => `${colorScheme}: ${flaw}`))
      }
    }
    // Each run reads the whole page: what is visible together is checked in one.
    for (const parts of views) {
      await page.goto(`${docs()}${parts[0]}`)
      await check(...parts)
    }
    expect(flaws).toEqual([])
    await page.close()
  })
})

test('on a phone each operation is a view, with its form next to the title and the key in reach', async () => {
  const { page, at } = await openPage(browser, `${docs()}#createQuote`, {
    viewport: { width: 360, height: 740 },
  })
  expect(await page.locator('main > section:visible').count()).toBe(1)
  const [title, form, text] = await Promise.all(
    ['h3', '.try', '.said'].map((part) => at('createQuote').locator(part).first().boundingBox()),
  )
  expect((form?.y ?? 0) - (title?.y ?? 0)).toBeLessThan(160)
  expect(form?.y).toBeLessThan(text?.y ?? 0)
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  const key = await page.getByLabel('Key', { exact: true }).boundingBox()
  expect(key?.y).toBeGreaterThanOrEqual(0)
  expect(key?.y).toBeLessThan(60)
  await page.locator('#next').click()
  await at('getQuote').waitFor()
  expect(await at('createQuote').isVisible()).toBe(false)
  await page.close()
})

test('Send succeeds at the first click on every operation', async () => {
  const { page, at, send } = await openPage(browser, docs())
  const ids = await page
    .locator('.operation.request')
    .evaluateAll((sections) => sections.map(({ id }) => id))
  const { json } = await example.ask('GET', '/v1/openapi.json')
  expect(ids).toHaveLength(
    Object.values<object>(json.paths).flatMap((path) => Object.keys(path)).length,
  )
  const refused: string[] = []
  // The last first: the page gets what comes before by itself.
  for (const id of ids.toReversed()) {
    const outcome = await send(id)
    if (!/^20[0124] /.test(outcome)) refused.push(`${id}: ${outcome}`)
    const form = at(id).locator('details.try')
    await form.evaluate((details) => details.removeAttribute('open'))
  }
  expect(refused).toEqual([])
  await page.close()
})

test.each(schemes)('every text has enough contrast in the %s scheme', async (scheme) => {
  const { page } = await openPage(browser, docs(), { colorScheme: scheme })
  await page.evaluate(openEverything)
  expect(await page.evaluate(faintTexts)).toEqual([])
  await page.close()
})

test('nothing is wider than the screen of a phone', async () => {
  const { page, at } = await openPage(browser, docs(), { viewport: { width: 360, height: 740 } })
  await page.evaluate(openEverything)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  expect(await page.getByRole('combobox', { name: 'Search' }).isVisible()).toBe(true)
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
  const { html, headers } = await referencePage(JSON.stringify(publicOpenApi()), {
    documentPath: 'v1/openapi.json',
    servers: [
      { name: 'This server', url: '' },
      { name: 'Example server', url: exampleUrl, freeKeyPrefix: 'qpu_mock_', accepts: ['content'] },
    ],
  })
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
