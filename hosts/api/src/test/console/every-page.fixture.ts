import { expect, test } from 'vitest'
import type { ConsoleSystem } from './console.fixture.ts'
import type { Variant } from './opened-page.fixture.ts'
import { checkedPages } from './pages.fixture.ts'
import type { Seed } from './seed.fixture.ts'

const variants: readonly Variant[] = [
  { width: 'desktop', theme: 'light' },
  { width: 'desktop', theme: 'dark' },
  { width: 'phone', theme: 'dark' },
  { width: 'phone', theme: 'light' },
]

const valueOf = (value: string | ((seed: Seed) => string), seed: Seed): string =>
  typeof value === 'string' ? value : value(seed)

/** Each page of the table in each width and theme. */
export function everyPageTests(system: () => ConsoleSystem): void {
  test.each(checkedPages)('$name is flawless', async ({ path, heading, shows, role = 'admin' }) => {
    const { seed, open } = system()
    const opened = await open(valueOf(path, seed), { role })
    await opened.shows(shows)
    const flaws: string[] = []
    for (const variant of variants) {
      await opened.reshape(variant)
      const { width, theme } = variant
      // A theme changes colours and nothing else.
      const found = await opened.flaws(theme === 'light' ? 'all' : 'colours')
      flaws.push(...found.map((flaw) => `${width}, ${theme}: ${flaw}`))
    }
    expect(flaws).toEqual([])
    expect(await opened.page.locator('h1').innerText()).toBe(valueOf(heading, seed))
    expect(await opened.page.title()).toContain(valueOf(heading, seed))
    await opened.close()
  })
}
