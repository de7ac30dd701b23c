// Writes the pictures of the reference page to docs/images: `pnpm --filter @quipu/example pictures`.
import path from 'node:path'
import { startBrowser } from '@quipu/console/testing'
import { testExample } from './example.fixture.ts'
import { openPage } from './page.fixture.ts'

const folder = path.resolve(import.meta.dirname, '../../../../docs/images')
const desktop = { viewport: { width: 1280, height: 800 } }
const phone = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 }

const [browser, example] = await Promise.all([startBrowser(), testExample()])

const walk = await openPage(browser, `${example.url}/docs#walk`, desktop)
await walk.page.getByRole('button', { name: 'TypeScript' }).first().click()
await walk.page.getByRole('button', { name: 'Run all' }).click()
await walk.page.getByText('Done.').waitFor()
await walk.page.evaluate(() => document.querySelector('#walk-3')?.scrollIntoView())
await walk.page.screenshot({ path: path.join(folder, 'reference.png') })

const phoneWalk = await openPage(browser, `${example.url}/docs#walk`, { ...phone, colorScheme: 'dark' })
await phoneWalk.page.getByRole('button', { name: 'Run all' }).click()
await phoneWalk.page.getByText('Done.').waitFor()
await phoneWalk.page.evaluate(() => document.querySelector('#walk-5')?.scrollIntoView())
await phoneWalk.page.screenshot({ path: path.join(folder, 'reference-phone-dark.png') })

await browser.close()
await example.stop()
