/// <reference lib="dom" />
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'

/** The reference page in its own tab, with its requests and console errors. */
export type OpenPage = {
  readonly page: Page
  /** The sent requests as `METHOD url`, without data URIs. */
  readonly requests: readonly string[]
  /** Warnings and errors of the console, and uncaught errors. */
  readonly consoleErrors: readonly string[]
  /** The element with this anchor. */
  at(anchor: string): Locator
  /** Goes to this anchor, as a link does: on a phone each section is a view. */
  show(anchor: string): Promise<void>
  /** Sends the form of an operation, in its view. @returns the shown outcome */
  send(operationId: string): Promise<string>
}

export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...options })
  page.setDefaultTimeout(0) // The limit of the test ends what hangs.
  const requests: string[] = []
  const consoleErrors: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) requests.push(`${request.method()} ${request.url()}`)
  })
  page.on('pageerror', (error) => consoleErrors.push(String(error)))
  page.on('console', (message) => {
    if (['warning', 'error'].includes(message.type())) consoleErrors.push(message.text())
  })
  await page.goto(url)
  const at: OpenPage['at'] = (anchor) => page.locator(`[id="${anchor}"]`)
  const show: OpenPage['show'] = async (anchor) => {
    await page.evaluate((hash) => {
      location.hash = hash
    }, `#${anchor}`)
    await at(anchor).waitFor()
  }
  return {
    page,
    requests,
    consoleErrors,
    at,
    show,
    async send(operationId) {
      if (!(await at(operationId).isVisible())) await show(operationId)
      const form = at(operationId).locator('details.try')
      if ((await form.getAttribute('open')) === null) await form.locator('summary').first().click()
      const outcome = form.locator('.outcome')
      await outcome.evaluate((shown) => shown.replaceChildren())
      await form.getByRole('button', { name: 'Send' }).click()
      await outcome.locator('p').first().waitFor()
      return outcome.innerText()
    },
  }
}
