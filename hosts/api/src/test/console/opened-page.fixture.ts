import { AxeBuilder } from '@axe-core/playwright'
import type { BrowserContext, Page } from 'playwright-core'

export const viewports = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 360, height: 740 },
} as const

/** Which findings of axe count. */
export type AxeRules = 'all' | 'colours'

export type Variant = {
  readonly width: keyof typeof viewports
  readonly theme: 'light' | 'dark'
}

/** A page of the console in a tab of its own, with what it did wrong so far. */
export type Opened = {
  readonly page: Page
  /** Goes to another path below `/console`, loading the page anew. */
  visit(path: string): Promise<void>
  /** Waits until everything that the page reads has arrived. */
  settle(): Promise<void>
  /** Waits for a text. @throws Error with what the page shows instead */
  shows(text: string | RegExp): Promise<void>
  /** Shows the same page in another width and theme. */
  reshape(variant: Variant): Promise<void>
  /** Moves the page’s clock ahead, so that what is due then happens now. */
  step(ms: number): Promise<void>
  /** What breaks a rule of every page; empty when nothing does. */
  flaws(rules?: AxeRules): Promise<readonly string[]>
  close(): Promise<void>
}

export async function openPage(
  profile: BrowserContext,
  url: string,
  path: string,
): Promise<Opened> {
  const page = await profile.newPage()
  await page.clock.install()
  const noted: string[] = []
  page.on('pageerror', (error) => noted.push(`an uncaught error: ${error}`))
  page.on('dialog', (dialog) => {
    noted.push(`a dialog of a script: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    // Chromium reports refused sign-ins and ended sessions as errors; tests assert those themselves.
    const isStatus = message.text().startsWith('Failed to load resource: the server responded')
    if (['warning', 'error'].includes(message.type()) && !isStatus)
      noted.push(`on the console: ${message.text()}`)
  })
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== url) noted.push(`a request left: ${request.url()}`)
  })
  const visit: Opened['visit'] = async (to) => {
    await page.goto(`${url}/console${to}`)
    await settle()
  }
  const settle: Opened['settle'] = async () => {
    await page
      .locator('h1')
      .first()
      .waitFor()
      .catch((cause: unknown) => {
        throw new Error(`the page shows no heading; ${noted.join('; ')}`, { cause })
      })
    await page.locator('.loading').last().waitFor({ state: 'detached' })
  }
  await visit(path)
  return {
    ...{ page, visit, settle },
    shows: async (text) => {
      await page
        .getByText(text)
        .filter({ visible: true })
        .first()
        .waitFor()
        .catch(async (cause: unknown) => {
          const shown = await page.locator('body').innerText()
          throw new Error(`the page does not show ${text}, but: ${shown}`, { cause })
        })
    },
    step: (ms) => page.clock.fastForward(ms),
    reshape: async ({ width, theme }) => {
      await page.setViewportSize(viewports[width])
      await page.emulateMedia({ colorScheme: theme })
    },
    flaws: async (rules = 'all') => [
      ...noted,
      ...(await overflow(page)),
      ...(await inaccessible(page, rules)),
    ],
    close: () => profile.close(),
  }
}

/** The page itself never scrolls sideways; wide tables scroll within. */
const overflow = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const wide = [...document.querySelectorAll('main *, header *')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
      .map((element) => element.tagName + '.' + element.className)
    return ['the page is ' + scrollWidth + ' wide of ' + clientWidth + ': ' + wide.slice(0, 5)]
  })()`)

/** The serious and critical findings of axe. */
async function inaccessible(page: Page, rules: AxeRules): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({
      ...{ resultTypes: ['violations'], preload: false },
      ...(rules === 'colours' && { runOnly: ['color-contrast', 'link-in-text-block'] }),
    })
    .analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `axe ${id}: ${nodes
          .map(({ html }) => html)
          .join(' | ')
          .slice(0, 600)}`,
    )
}
