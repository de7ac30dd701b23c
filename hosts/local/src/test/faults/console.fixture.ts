import { startBrowser } from '@quipu/console/testing'
import { operatorToken } from '../harness/tenant.fixture.ts'

/** An open page of the console. */
export type OpenConsole = AsyncDisposable & {
  /** Waits until the page, which refreshes itself and is not loaded anew, shows an element with exactly this text. */
  shows(text: string): Promise<void>
}

/** Opens a page of a running API's console as an operator does. @param path  below `/console` */
export async function openConsole(operatorUrl: string, path: string): Promise<OpenConsole> {
  const browser = await startBrowser()
  const page = await browser.newPage({ locale: 'en' })
  page.setDefaultTimeout(0) // The limit of the test ends what hangs.
  await page.goto(`${operatorUrl}/console${path}`)
  await page.getByLabel('Operator token').fill(operatorToken)
  await page.keyboard.press('Enter')
  await page.getByText('Updated').first().waitFor()
  return {
    shows: async (text) => {
      const shown = page.getByText(text, { exact: true }).filter({ visible: true }).first()
      await shown.waitFor().catch(async (cause: unknown) => {
        const body = await page.locator('body').innerText()
        throw new Error(`the console does not show ${text}, but: ${body}`, { cause })
      })
    },
    [Symbol.asyncDispose]: () => browser.close(),
  }
}
