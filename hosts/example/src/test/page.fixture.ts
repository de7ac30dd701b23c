import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'

/** The reference page in a tab of its own, with all that it asked for and complained of. */
export type OpenPage = {
  readonly page: Page
  /** The requests that it sent, as `METHOD url`, but for the pictures that it has in itself. */
  readonly requests: readonly string[]
  /** What stands in the console as a warning or an error, and errors that nobody caught. */
  readonly complaints: readonly string[]
  /** An operation, an event or whatever else has this anchor. */
  at(anchor: string): Locator
  /** Sends the form of an operation, and waits for what comes of it. @returns what is shown */
  send(operationId: string): Promise<string>
}

export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...options })
  page.setDefaultTimeout(5_000)
  const requests: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) requests.push(`${request.method()} ${request.url()}`)
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (['warning', 'error'].includes(message.type())) complaints.push(message.text())
  })
  await page.goto(url)
  const at: OpenPage['at'] = (anchor) => page.locator(`[id="${anchor}"]`)
  return {
    page,
    requests,
    complaints,
    at,
    async send(operationId) {
      const form = at(operationId).locator('details.try')
      if ((await form.getAttribute('open')) === null) await form.locator('summary').click()
      const outcome = form.locator('.outcome')
      await outcome.evaluate((shown) => shown.replaceChildren())
      await form.getByRole('button', { name: 'Send' }).click()
      await outcome.locator('p').first().waitFor()
      return outcome.innerText()
    },
  }
}
