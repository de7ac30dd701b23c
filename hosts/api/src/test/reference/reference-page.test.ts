import { inaccessibleInSchemes, leaveOnly, startBrowser } from '@quipu/console/testing'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApi, testApi, operatorToken } from '../harness/api.fixture.ts'
import { steppedClock } from '../harness/clock.fixture.ts'
import { depositMaker } from '../harness/deposits.fixture.ts'
import { operatorRecords } from '../harness/operator-records.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'
import { openDocs, sendOpened, showSection } from './docs-page.fixture.ts'

/** The browser’s clock decides whether a quote is expired. */
const browserTime = steppedClock(new Date().toISOString())

let browser: Browser
let api: TestApi
let tenant: TestTenant
/** Has what operators read and change. */
let operated: TestApi

beforeAll(async () => {
  ;[browser, api, operated] = await Promise.all([
    startBrowser(),
    testApi({}, undefined, browserTime),
    testApi({}, undefined, browserTime),
  ])
  tenant = await api.tenant()
  await tenant.get('/v1/wallets')
  await depositMaker(api.stores, api.clock.now)({ tenantId: tenant.id, value: 25_000_000n })
  await operatorRecords(operated)
})

afterAll(async () => {
  await browser.close()
  await Promise.all([api.stop(), operated.stop()])
})

/** The page of the tenants, then that of the operators. */
const ofTenants = (shown?: BrowserContextOptions): Promise<Page> =>
  openDocs(browser, { url: api.url, label: 'Key', credential: tenant.key, clock: browserTime }, shown)
const ofOperators = (shown?: BrowserContextOptions): Promise<Page> =>
  openDocs(browser, { url: operated.operatorUrl, label: 'Token', credential: operatorToken, clock: browserTime }, shown)

test('the walk pays a QR of the sandbox itself', async () => {
  const page = await ofTenants()
  await page.getByRole('button', { name: 'Run all' }).click()
  await page.getByText('Done.').waitFor()
  const [qr = '', , , paid] = await page.locator('.walk .outcome').allInnerTexts()
  const [, content = ''] = /"content": "([^"]+)"/.exec(qr) ?? []
  expect(content).not.toMatch(/^(?:MOCK|$)/)
  expect(await page.locator('#walk-4 .sample').innerText()).toContain(content)
  expect(paid).toContain('"status": "completed"')
  await page.close()
})

test('what an operator reads fills the forms of the operators’ page, which sends no change by itself', async () => {
  const page = await ofOperators()
  const methods: string[] = []
  page.on('request', (request) => methods.push(request.method()))
  for (const id of ['listPayouts', 'getPayout', 'listTenants', 'getTenant']) {
    await showSection(page, `#${id}`)
    await sendOpened(page, id)
  }
  expect(methods).toEqual(['GET', 'GET', 'GET', 'GET'])
  await page.close()
})

/** One of each kind that the page has. */
const parts = [
  'header',
  '#introduction',
  '#listTenants',
  '#createTenant',
  '#errors-list',
  '#schemas',
  '#schema-OperatorPayout',
  '#guide-restore',
].join()

/** Opens the page once a width: it is long, and its layout takes seconds. */
describe('the operators’ page on a phone', () => {
  screenTests({ width: 360, height: 740 })
})
describe('the operators’ page on a desktop', { tags: 'long' }, () => {
  screenTests({ width: 1440, height: 900 })
})

function screenTests(viewport: { width: number; height: number }): void {
  let page: Page
  beforeAll(async () => {
    page = await ofOperators({ viewport })
  })
  afterAll(() => page.close())

  test('the search finds operations, codes and guides by keyboard', async () => {
    const results = page.locator('#results').getByRole('option')
    const find = async (words: string): Promise<string> => {
      await page.keyboard.press('/')
      await page.keyboard.type(words)
      return results.first().innerText()
    }
    expect(await find('quotes/{id}')).toContain('GET /operator/v1/quotes/{id}')
    await page.keyboard.press('Enter')
    expect(new URL(page.url()).hash).toBe('#getQuote')
    await page.locator('#getQuote').waitFor()

    expect(await find('status not queried')).toContain('PAYOUT_STATUS_NOT_QUERIED')
    await page.keyboard.press('Enter')
    await page.locator('#error-PAYOUT_STATUS_NOT_QUERIED').getByText('What to do').first().waitFor()

    expect(await find('restore')).not.toBe('')
    const found = await results.allInnerTexts()
    const guide = found.findIndex((text) => text.includes('Guide:'))
    expect(guide).toBeGreaterThanOrEqual(0)
    for (let step = 0; step < guide; step++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.locator('.guide:visible').waitFor()
  })

  test('axe finds nothing serious in either scheme', async () => {
    await showSection(page, '#listTenants')
    await sendOpened(page, 'listTenants')
    await leaveOnly(page, parts)
    const flaws = await inaccessibleInSchemes(page, parts)
    await page.keyboard.press('/')
    await page.keyboard.type('tenant')
    await page.locator('#results li').first().waitFor()
    expect([...flaws, ...(await inaccessibleInSchemes(page, 'nav'))]).toEqual([])
  })
}
