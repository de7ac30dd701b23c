// Writes the picture of the reference page that the README shows: `pnpm run picture`, in this folder.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { startBrowser } from '@quipu/console/testing'
import { testExample } from './example.fixture.ts'
import { openPage } from './page.fixture.ts'

const file = path.resolve(import.meta.dirname, '../../../../docs/images/reference.png')

const [browser, example] = await Promise.all([startBrowser(), testExample()])
const { page, send } = await openPage(browser, `${example.url}/docs#createPayout`)
await page.setViewportSize({ width: 1440, height: 1080 })
await send('createQuote')
await send('createPayout')
await page.evaluate(() => document.querySelector('#createPayout')?.scrollIntoView())
mkdirSync(path.dirname(file), { recursive: true })
await page.screenshot({ path: file })
await browser.close()
await example.stop()
