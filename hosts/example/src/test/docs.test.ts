import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inaccessibleInSchemes, leaveOnly, startBrowser } from '@quipu/console/testing'
import { type Elsewhere, serveElsewhere } from './elsewhere.fixture.ts'
import { type TestExample, testExample } from './example.fixture.ts'
import { openPage } from './page.fixture.ts'
import { crossedUnderscores, skippedHeadings, uselessLinks } from './readable.fixture.ts'
import { readerTests } from './reader-tests.fixture.ts'

let browser: Browser
let example: TestExample
let elsewhere: Elsewhere

beforeAll(async () => {
  ;[browser, example] = await Promise.all([startBrowser(), testExample()])
  elsewhere = await serveElsewhere(example.url)
})

afterAll(async () => {
  elsewhere.stop()
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
  expect(await page.locator('.event').count()).toBe(Object.keys(json['x-webhooks']).length)
  expect(requests).toEqual([`GET ${docs()}`])
  expect(consoleErrors).toEqual([])
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

test('in Spanish the page finds what a person searches for, and leads to the same place in English', async () => {
  const { page, requests, consoleErrors } = await openPage(browser, `${docs()}-es`)
  const find = async (query: string): Promise<readonly string[]> => {
    await page.getByRole('combobox', { name: 'Buscar en toda la página' }).fill(query)
    return page
      .locator('#results')
      .innerText()
      .then((text) => text.split('\n'))
  }
  expect(await find('cotización firme')).toContain('Obtener una cotización firme')
  expect(await find('firma')).toContain('Webhooks')
  await page.keyboard.press('Enter')
  const { hash } = new URL(page.url())
  await page.getByRole('link', { name: 'English' }).click()
  await page.waitForURL(`${docs()}${hash}`)
  expect(requests).toEqual([`GET ${docs()}-es`, `GET ${docs()}`])
  expect(consoleErrors).toEqual([])
  await page.close()
})

/** One of each kind that the page has. */
const parts = [
  'header',
  '#walk',
  '#createQuote',
  '#errors-list',
  '#review-codes',
  '#events-sent',
  '[id="event-payout.completed"]',
  '#schemas',
  '#schema-Payout',
  '#guide-webhooks',
].join()

describe.each([
  ['desktop', 'light', { width: 1440, height: 900 }],
  ['phone', 'dark', { width: 360, height: 740 }],
] as const)('on a %s', { tags: 'long' }, (_, colorScheme, viewport) => {
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
      expect(await at('walk-5').locator('.outcome').innerText()).toContain(`"available": "${available}"`)
      expect(await at('walk-6').locator('.outcome').innerText()).toContain(id)
      paidIds.add(id)
    }
    expect(paidIds.size).toBe(2)
    expect(consoleErrors).toEqual([])
    await page.close()
  })

  test('axe finds nothing serious in either scheme', async () => {
    const { page, send } = await openPage(browser, docs(), { viewport })
    expect(await send('resolveQr')).toContain('201 Created')
    expect(await send('createQuote')).toContain('201 Created')
    await leaveOnly(page, parts)
    const flaws = await inaccessibleInSchemes(page, parts)
    await page.keyboard.press('/')
    await page.keyboard.type('quote')
    await page.locator('#results li').first().waitFor()
    expect([...flaws, ...(await inaccessibleInSchemes(page, 'nav'))]).toEqual([])
    await page.close()
  })

  readerTests(() => ({ browser, example, elsewhere }), { viewport, colorScheme })
})

test('on a phone each operation is a view, with its form next to the title and the key in reach', async () => {
  const { page, at } = await openPage(browser, `${docs()}#createQuote`, { viewport: { width: 360, height: 740 } })
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

test('underscores stay visible in links: these are marked by a border below the letters', async () => {
  const { page } = await openPage(browser, `${docs()}#guide-webhooks`)
  await page.evaluate(openEverything)
  const links = page.locator('main a:has(code)').filter({ hasText: '_' })
  expect(await links.count()).toBeGreaterThan(100)
  expect(await page.evaluate(crossedUnderscores)).toEqual([])
  await page.close()
})

test('nothing is wider than the screen of a phone', async () => {
  const { page, at } = await openPage(browser, docs(), { viewport: { width: 360, height: 740 } })
  await page.evaluate(openEverything)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  expect(await page.getByRole('combobox', { name: 'Search' }).isVisible()).toBe(true)
  await page.goto(`${docs()}#createQuote`)
  expect(await at('createQuote').getByRole('heading', { name: 'Get a firm price' }).isVisible()).toBe(true)
  await page.close()
})

test('headings are in order, links resolve, and Tab reaches everything', async () => {
  const { page } = await openPage(browser, docs())
  expect(await page.evaluate(skippedHeadings)).toEqual([])
  expect(await page.evaluate(uselessLinks)).toEqual([])
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
  await page.close()
})

test('calls the example server from another origin, and sends each key to its own server only', async () => {
  const { page, consoleErrors, requests, send } = await openPage(browser, `${elsewhere.url}/docs`)
  const askedBefore = elsewhere.asked.length
  expect(await send('getWallet')).toContain('enter your key')
  await page.getByLabel('Key', { exact: true }).fill('qpu_test_mine')
  expect(await send('getWallet')).toContain('200 OK')

  await page.getByRole('combobox', { name: 'Server' }).selectOption('Example server')
  expect(await page.getByLabel('Key', { exact: true }).inputValue()).toMatch(/^qpu_mock_/)
  expect(await send('getWallet')).toMatch(/200 OK[^]+"available": "1000\.000000"/)
  expect(requests.at(-1)).toBe(`GET ${example.url}/v1/wallets`)
  expect(elsewhere.asked.slice(askedBefore)).toEqual(['/v1/wallets qpu_test_mine'])

  await page.getByRole('combobox', { name: 'Server' }).selectOption('This server')
  expect(await page.getByLabel('Key', { exact: true }).inputValue()).toBe('qpu_test_mine')
  const stored = await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))
  expect(stored).not.toContain('qpu_test_mine')
  expect(stored).toContain('qpu_mock_')
  expect(consoleErrors).toEqual([])
  await page.close()
})

/** Runs in the page. */
function openEverything(): void {
  for (const details of document.querySelectorAll('details')) details.open = true
}
