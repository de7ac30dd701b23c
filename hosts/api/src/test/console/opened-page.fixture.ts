import type { BrowserContext, Page } from 'playwright-core'
import { type AxeRules, inaccessible } from '@quipu/console/testing'
import { type Site, type Variant, viewports } from './site.fixture.ts'

/** A page of the console in a tab of its own, with what it did wrong so far. */
export type Opened = {
  readonly page: Page
  /** Goes to another path below `/console`, loading the page anew. */
  visit(path: string): Promise<void>
  /** Goes to another path as a link does. */
  follow(path: string): Promise<void>
  /** Waits until everything that the page reads has arrived. */
  settle(): Promise<void>
  /** Waits for a text. @throws Error with what the page shows instead */
  shows(text: string | RegExp): Promise<void>
  /** Shows the same page in another width and theme. */
  reshape(variant: Variant): Promise<void>
  /** Moves the page’s clock ahead, so that what is due then happens now. */
  step(ms: number): Promise<void>
  /** The breaches of a rule of every page; empty when nothing does. */
  flaws(rules?: AxeRules): Promise<readonly string[]>
  /** The breaches of a rule of every dialog, in the open one, in both widths and themes. */
  dialogFlaws(): Promise<readonly string[]>
  /** Drops the breaches so far: the page goes to another test. */
  forget(): void
  close(): Promise<void>
}

export async function openPage(profile: BrowserContext, site: Site, path: string, shown: Variant): Promise<Opened> {
  const page = await profile.newPage()
  await page.clock.install()
  const noted: string[] = []
  let variant = shown
  watch(page, site, noted)
  const reshape: Opened['reshape'] = async (next) => {
    variant = next
    await page.setViewportSize(viewports[next.width])
    await page.emulateMedia({ colorScheme: next.theme })
    // The header follows with its next rendering.
    const wide = page.locator('.sign-in, .top .account').first()
    await wide.waitFor({ state: next.width === 'desktop' ? 'attached' : 'detached' })
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
  const visit: Opened['visit'] = async (to) => {
    await page.goto(`${site.url}/console${to}`)
    await settle()
  }
  await visit(path)
  return {
    page,
    visit,
    settle,
    reshape,
    follow: async (to) => {
      await page.evaluate(
        `history.pushState(null, '', ${JSON.stringify(`/console${to}`)}); dispatchEvent(new PopStateEvent('popstate'))`,
      )
      await settle()
    },
    shows: (text) => waitForText(page, text),
    step: (ms) => page.clock.fastForward(ms),
    flaws: async (rules = 'all') => [
      ...noted.splice(0),
      ...(await page.evaluate<string[]>(overflow)),
      ...(await page.evaluate<string[]>(ranMarkup)),
      ...(await inaccessible(page, rules)),
    ],
    dialogFlaws: async () => {
      const found = [...noted.splice(0), ...(await page.evaluate<string[]>(misplaced))]
      found.push(...(await inaccessible(page, 'all', 'dialog[open]')))
      const { width, theme } = variant
      await reshape({ width: width === 'phone' ? 'desktop' : 'phone', theme: theme === 'dark' ? 'light' : 'dark' })
      found.push(...(await page.evaluate<string[]>(misplaced)))
      found.push(...(await inaccessible(page, 'colours', 'dialog[open]')))
      await reshape({ width, theme })
      return found
    },
    forget: () => void noted.splice(0),
    close: () => profile.close(),
  }
}

/** Notes what no page may do, and which operations it calls. */
function watch(page: Page, { url, calls }: Site, noted: string[]): void {
  page.on('pageerror', (error) => noted.push(`an uncaught error: ${error}`))
  page.on('dialog', (dialog) => {
    noted.push(`a dialog of a script: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    // Chromium reports refused sign-ins and ended sessions as errors; tests assert those themselves.
    const isStatus = message.text().startsWith('Failed to load resource: the server responded')
    if (['warning', 'error'].includes(message.type()) && !isStatus) noted.push(`on the console: ${message.text()}`)
  })
  const called = (method: string, to: string): void => {
    const { origin, pathname } = new URL(to)
    if (origin !== url) noted.push(`a request left: ${to}`)
    calls.add(`${method} ${pathname}`)
  }
  page.on('request', (request) => called(request.method(), request.url()))
  page.on('download', (download) => called('GET', download.url()))
  // Chromium opens none of its own from now on.
  page.on('filechooser', () => undefined)
}

const waitForText = (page: Page, text: string | RegExp): Promise<void> =>
  page
    .getByText(text)
    .filter({ visible: true })
    .first()
    .waitFor()
    .catch(async (cause: unknown) => {
      const shown = await page.locator('body').innerText()
      throw new Error(`the page does not show ${text}, but: ${shown}`, { cause })
    })

/** Neither the page nor a table scrolls sideways. */
const overflow = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement
  const inner = [...document.querySelectorAll('.scroll:has(> .cards)')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map((element) => 'scrolls sideways by ' + (element.scrollWidth - element.clientWidth) + ': ' + element.textContent.slice(0, 60))
  if (scrollWidth <= clientWidth) return inner
  const wide = [...document.querySelectorAll('main *, header *')]
    .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
    .map((element) => element.tagName + '.' + element.className)
  return ['the page is ' + scrollWidth + ' wide of ' + clientWidth + ': ' + wide.slice(0, 5), ...inner]
})()`

/** Elements and addresses that the console never makes: texts that became markup, and links that run something. */
const ranMarkup = `(() => {
  const foreign = [...document.querySelectorAll('main :is(img, iframe, object, embed, svg, script, style)')]
    .map(({ outerHTML }) => 'markup of a text: ' + outerHTML.slice(0, 100))
  const links = [...document.querySelectorAll(':is([href], [src], [action], [formaction])')]
    .flatMap((element) => ['href', 'src', 'action', 'formaction'].map((name) => element.getAttribute(name)))
    .filter((to) => to !== null && !['http:', 'https:'].includes(new URL(to, location.href).protocol))
  return [...foreign, ...links.map((to) => 'a link of another scheme: ' + to)]
})()`

/** The dialog fits into the window, and its confirming button is where a person sees it. */
const misplaced = `(() => {
  const dialog = document.querySelector('dialog[open]')
  const { innerWidth, innerHeight } = window
  const found = []
  if (document.documentElement.scrollWidth > document.documentElement.clientWidth)
    found.push('the page scrolls sideways below the dialog')
  if (dialog.scrollWidth > dialog.clientWidth) found.push('the dialog scrolls sideways')
  const button = dialog.querySelector('button[type=submit]')
  const { left, top, right, bottom } = button.getBoundingClientRect()
  if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight)
    found.push('the confirming button is outside the window: ' + [left, top, right, bottom])
  const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
  if (!button.contains(there)) found.push('the confirming button is covered')
  const alert = dialog.querySelector('[role=alert]:not(:empty)')
  const { x, y, width, height } = alert?.getBoundingClientRect() ?? {}
  if (alert && !alert.contains(document.elementFromPoint(x + width / 2, y + height / 2)))
    found.push('the refusal is out of sight')
  return found
})()`
