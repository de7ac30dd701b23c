import { startBrowser } from '@quipu/console/testing'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApi, testApi, operatorToken } from '../harness/api.fixture.ts'
import { steppedClock } from '../harness/clock.fixture.ts'
import { depositMaker } from '../harness/deposits.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

/** The browser’s clock decides whether a quote is expired. */
const browserTime = steppedClock(new Date().toISOString())

let browser: Browser
let api: TestApi
let tenant: TestTenant

beforeAll(async () => {
  ;[browser, api] = await Promise.all([startBrowser(), testApi({}, undefined, browserTime)])
  tenant = await api.tenant()
  await tenant.get('/v1/wallets')
  await depositMaker(api.stores, api.clock.now)({ tenantId: tenant.id, value: 25_000_000n })
})

afterAll(async () => {
  await browser.close()
  await api.stop()
})

/** The page of a listener, with a key or token entered. */
async function openDocs(url: string, label: string, credential: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  page.setDefaultTimeout(15_000)
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto(`${url}/docs`)
  await page.getByLabel(label, { exact: true }).fill(credential)
  return page
}

/** Sends the form of each operation, in the order of the page. @returns the outcomes */
async function sendAll(page: Page, ids: readonly string[]): Promise<Map<string, string>> {
  const outcomes = new Map<string, string>()
  for (const id of ids) {
    const form = page.locator(`[id="${id}"] details.try`)
    await form.locator('summary').click()
    await form.getByRole('button', { name: 'Send' }).click()
    await form.locator('.outcome p').first().waitFor()
    outcomes.set(id, await form.locator('.outcome').innerText())
    await form.evaluate((details) => details.removeAttribute('open'))
    // What a worker sends meanwhile.
    await api.deliver()
  }
  return outcomes
}

const operationsOf = (page: Page): Promise<string[]> =>
  page.locator('.operation.request').evaluateAll((sections) => sections.map(({ id }) => id))

const failed = (outcomes: Map<string, string>): string[] =>
  [...outcomes].filter(([, text]) => !/^20[0-4] /.test(text)).map(([id, text]) => `${id}: ${text}`)

test('Send succeeds at the first click on every operation of the API', async () => {
  const page = await openDocs(api.url, 'Key', tenant.key)
  const { json } = await api.request('GET', '/v1/openapi.json')
  const ids = await operationsOf(page)
  expect(ids).toHaveLength(
    Object.values<object>(json.paths).flatMap((path) => Object.keys(path)).length,
  )
  expect(failed(await sendAll(page, ids))).toEqual([])
  await page.close()
}, 60_000)

test('the walk pays a QR of the sandbox itself', async () => {
  const page = await openDocs(api.url, 'Key', tenant.key)
  await page.getByRole('button', { name: 'Run all' }).click()
  await page.getByText('Done.').waitFor()
  const [qr = '', , , paid] = await page.locator('.walk .outcome').allInnerTexts()
  const [, content = ''] = /"content": "([^"]+)"/.exec(qr) ?? []
  expect(content).not.toMatch(/^(?:MOCK|$)/)
  expect(await page.locator('#walk-4 .sample').innerText()).toContain(content)
  expect(paid).toContain('"status": "completed"')
  await page.close()
})

test('Send reads every record of the operators’ API at the first click, and creates nothing by itself', async () => {
  const page = await openDocs(api.operatorUrl, 'Token', operatorToken)
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.method()))
  const reads = await page
    .locator('.operation.request:has(form[data-method=GET])')
    .evaluateAll((sections) => sections.map(({ id }) => id))
  const outcomes = await sendAll(page, reads)
  expect(outcomes.get('getTenant')).toContain(tenant.id)
  // What has no record yet is not requested.
  const refused = failed(outcomes).filter((text) => !text.includes(': Nothing was sent'))
  expect(refused).toEqual([])
  expect(outcomes.size - failed(outcomes).length).toBeGreaterThan(25)
  expect(new Set(sent)).toEqual(new Set(['GET']))
  await page.close()
}, 60_000)
