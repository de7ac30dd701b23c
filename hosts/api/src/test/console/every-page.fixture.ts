import { textsOfLanguage } from '@quipu/console/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CheckedPage } from './checked-page.fixture.ts'
import type { ConsoleSystem } from './console.fixture.ts'
import type { Opened } from './opened-page.fixture.ts'
import { checkedPages } from './pages.fixture.ts'
import type { Seed } from './seed.fixture.ts'
import { phone, type Variant } from './site.fixture.ts'

/** A theme changes colours and nothing else, so that each width is checked in one. */
const variants: readonly Variant[] = [{ width: 'desktop', theme: 'light' }, phone]

export const valueOf = (value: string | ((seed: Seed) => string), seed: Seed): string =>
  typeof value === 'string' ? value : value(seed)

/** Each page of the table in each width, one of them dark, and in Spanish in each width. */
export function everyPageTests(system: () => ConsoleSystem): void {
  let english: readonly string[]
  beforeAll(async () => {
    english = await textsOfLanguage('en')
  })
  afterAll(() => system().closeTabs())

  for (const checked of checkedPages)
    test(`${checked.name} is flawless`, { tags: checked.tags }, async () => {
      const { seed, shared } = system()
      const shown = shownTo(checked)
      const opened = await shared(shown)
      await opened.follow(valueOf(checked.path, seed))
      await opened.shows(checked.shows)
      expect(await flawsOf(opened)).toEqual([])
      expect(await opened.page.locator('h1').innerText()).toBe(valueOf(checked.heading, seed))
      expect(await opened.page.title()).toContain(valueOf(checked.heading, seed))

      const spanish = await shared({ ...shown, language: 'es', width: 'phone' })
      await spanish.follow(valueOf(checked.path, seed))
      expect(await spanish.flaws('none')).toEqual([])
      expect(await textsIn(spanish, english)).toEqual([])
      await spanish.reshape({ width: 'desktop', theme: 'light' })
      expect(await spanish.flaws('none')).toEqual([])
      await spanish.reshape({ width: 'phone', theme: 'light' })
    })

  test.each([
    ['en', 'GMT-4', 'Payouts', 'Time zone', /^(?:\d\d:\d\d|[\d,]+(?:\.\d+)?)$/],
    ['es', 'BOT', 'Pagos', 'Zona horaria', /^(?:\d\d:\d\d|[\d.]+(?:,\d+)?)$/],
  ] as const)(
    'a canvas names zone and unit in %s, and follows the zone',
    async (language, zone, payouts, choice, tick) => {
      const { page, visit, close } = await system().open('/', { language })
      await page.addInitScript(noteDrawn)
      await visit('/')
      for (const named of [zone, 'UTC']) {
        const labels = [named, payouts, 'ms']
        let drawn: readonly string[] = []
        const read = async () => (drawn = await page.evaluate<readonly string[]>('drawn'))
        await expect.poll(read).toEqual(expect.arrayContaining(labels))
        expect(drawn.filter((text) => !labels.includes(text) && !tick.test(text))).toEqual([])
        await page.waitForLoadState('networkidle') // What is on its way would draw in the former zone.
        await page.route('**/operator/v1/**', () => undefined) // Nothing new arrives that would draw it again.
        await page.evaluate('drawn.length = 0')
        await page.getByLabel(choice).selectOption('UTC')
      }
      await close()
    },
  )
}

const shownTo = ({ role = 'admin', site = 'sandbox' }: CheckedPage) => ({ role, site })

async function flawsOf(opened: Opened): Promise<readonly string[]> {
  const flaws: string[] = []
  for (const variant of variants) {
    await opened.reshape(variant)
    const { width, theme } = variant
    const found = await opened.flaws()
    flaws.push(...found.map((flaw) => `${width}, ${theme}: ${flaw}`))
  }
  return flaws
}

/** Notes every text that a canvas draws. */
const noteDrawn = `
  const { fillText } = CanvasRenderingContext2D.prototype
  window.drawn = []
  CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
    drawn.push(text)
    return fillText.call(this, text, ...place)
  }`

/** Which of these texts the page says: in an element, a name or a placeholder; marked ones do not count. */
const textsIn = ({ page }: Opened, texts: readonly string[]): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(`(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const said = []
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
      if (!node.parentElement.closest('[lang=en]')) said.push(node.data.trim())
    for (const element of document.querySelectorAll('[aria-label], [placeholder]'))
      said.push(element.getAttribute('aria-label'), element.getAttribute('placeholder'))
    const texts = new Set(${JSON.stringify(texts)})
    return [...new Set(said)].filter((text) => texts.has(text))
  })()`)
