import { startBrowser } from '@quipu/console/testing'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApi, testApi, operatorToken } from '../harness/api.fixture.ts'
import { sentForm } from '../harness/sent-form.fixture.ts'
import { steppedClock } from '../harness/clock.fixture.ts'
import { depositMaker } from '../harness/deposits.fixture.ts'
import { operatorRecords } from '../harness/operator-records.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

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
  await operatorRecords(operated, await operated.tenant())
})

afterAll(async () => {
  await browser.close()
  await Promise.all([api.stop(), operated.stop()])
})

/** The page of a listener, with a key or token entered. */
async function openDocs(url: string, label: string, credential: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  page.setDefaultTimeout(15_000)
  page.on('dialog', (dialog) => void dialog.accept())
  await page.clock.setFixedTime(browserTime.now())
  await page.goto(`${url}/docs`)
  await page.getByLabel(label, { exact: true }).fill(credential)
  return page
}

/** Sends the form of each operation, in the order of the page. @returns the outcomes */
async function sendAll(
  page: Page,
  ids: readonly string[],
  { deliver }: Pick<TestApi, 'deliver'>,
): Promise<Map<string, string>> {
  const outcomes = new Map<string, string>()
  for (const id of ids) {
    outcomes.set(id, await sentForm(page, id))
    // What a worker sends meanwhile.
    await deliver()
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
  expect(failed(await sendAll(page, ids, api))).toEqual([])
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

/** Sent before the others: they need the newest record as the test made it. */
const first = ['approveProposal', 'executeProposal', 'withdrawProposal', 'rotateApiKey']

/** Operations of the operators' API that the page cannot send, and why. */
const unsendable = {
  /** Only the reader has what the network states in writing. */
  proposeSettlement: 'could be the network_payment_id',
  /** No operation lists quotes. */
  getQuote: 'could be the id',
}

test('Send succeeds at the first click on every operation of the operators’ API, and sends no other change', async () => {
  const page = await openDocs(operated.operatorUrl, 'Token', operatorToken)
  let changes = 0
  page.on('request', (request) => {
    if (request.method() !== 'GET') changes += 1
  })
  const idsOf = (selector: string): Promise<string[]> =>
    page
      .locator(`.operation.request:has(form${selector})`)
      .evaluateAll((sections) => sections.map(({ id }) => id))
  const { json } = await operated.operator('GET', '/operator/v1/openapi.json')
  const reads = await idsOf('[data-method=GET]')
  const writes = await idsOf(':not([data-method=GET])')
  expect(reads.length + writes.length).toBe(
    Object.values<object>(json.paths).flatMap((path) => Object.keys(path)).length,
  )
  const ordered = [...first, ...writes.filter((id) => !first.includes(id))]
  const written = await sendAll(page, ordered, operated)
  const notSent = [...written.values()].filter((text) => text.startsWith('Nothing was sent'))
  expect(changes).toBe(writes.length - notSent.length)

  await page.reload()
  await page.getByLabel('Token', { exact: true }).fill(operatorToken)
  const read = await sendAll(page, reads, operated)
  expect(changes).toBe(writes.length - notSent.length)
  const refused = failed(new Map([...written, ...read]))
  expect(refused.map((text) => text.split(':')[0])).toEqual(Object.keys(unsendable))
  for (const [index, why] of Object.values(unsendable).entries())
    expect(refused[index]).toContain(why)
  await page.close()
}, 120_000)
