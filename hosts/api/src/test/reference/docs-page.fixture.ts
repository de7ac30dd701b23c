import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { TestApi } from '../harness/api.fixture.ts'

/** A listener of an API, and what its page is entered with. */
export type Entrance = {
  readonly url: string
  readonly label: 'Key' | 'Token'
  readonly credential: string
  /** The browser's clock: it decides whether a quote is expired. */
  readonly clock: Pick<TestApi['clock'], 'now'>
}

/** The page of a listener, with a key or token entered. */
export async function openDocs(
  browser: Browser,
  { url, label, credential, clock }: Entrance,
  shown: BrowserContextOptions = {},
): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...shown })
  page.setDefaultTimeout(180_000) // Ends what hangs, and names it.
  page.on('dialog', (dialog) => void dialog.accept())
  await page.clock.setFixedTime(clock.now())
  await page.goto(`${url}/docs`)
  const field = page.getByLabel(label, { exact: true })
  await field.fill(credential)
  await field.blur()
  return page
}

/** Opens a section, as a link does: on a phone it is a view. */
export async function showSection(page: Page, selector: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(selector)}`)
  await page.locator(selector).waitFor()
}

/** Opens a form and sends it. */
export async function sendOpened(page: Page, id: string): Promise<void> {
  const form = page.locator(`[id="${id}"] details.try`)
  await form.locator('summary').first().click()
  await form.getByRole('button', { name: 'Send' }).click()
  await form.getByText('200 OK').waitFor()
}
