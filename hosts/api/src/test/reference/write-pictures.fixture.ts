// Writes pictures of the operators’ reference page to docs/images: `pnpm --filter @quipu/api pictures reference`.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { startBrowser } from '@quipu/console/testing'
import { expect, test } from 'vitest'
import { operatorToken, testApi } from '../harness/api.fixture.ts'
import { operatorRecords } from '../harness/operator-records.fixture.ts'
import { openDocs, sendOpened, showSection } from './docs-page.fixture.ts'

const folder = path.resolve(import.meta.dirname, '../../../../../docs/images')

test('writes the picture', async () => {
  mkdirSync(folder, { recursive: true })
  const [browser, api] = await Promise.all([startBrowser(), testApi()])
  await operatorRecords(api)
  const { operatorUrl: url, clock } = api
  const page = await openDocs(
    browser,
    { url, label: 'Token', credential: operatorToken, clock },
    { viewport: { width: 1280, height: 800 } },
  )
  await showSection(page, '#getQuote')
  const payouts = await api.operator('GET', '/operator/v1/payouts?status=completed')
  const { data } = payouts.json as { readonly data: readonly [{ readonly quote: { readonly id: string } }] }
  await page.locator('#getQuote-id').fill(data[0].quote.id)
  await sendOpened(page, 'getQuote')
  await page.evaluate(`document.querySelector('#getQuote').scrollIntoView()`)
  const picture = await page.screenshot({ path: path.join(folder, 'reference-operators.png') })
  expect(picture.length).toBeGreaterThan(5_000)
  await browser.close()
  await api.stop()
})
