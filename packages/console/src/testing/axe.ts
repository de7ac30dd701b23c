import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Which findings of axe count. */
export type AxeRules = 'all' | 'colours' | 'none'

type Found = {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly html: string }[]
}

const colours = ['color-contrast', 'link-in-text-block']

/** The serious and critical findings of axe. @param within  a selector of the part that is checked */
export async function inaccessible(page: Page, rules: AxeRules, within = 'html'): Promise<string[]> {
  if (rules === 'none') return []
  // Once a document: the source has half a megabyte.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source)
  const options = {
    resultTypes: ['violations'],
    preload: false,
    iframes: false,
    elementRef: false,
    ...(rules === 'colours' && { runOnly: colours }),
  }
  const violations = await page.evaluate<readonly Found[]>(
    `axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.map(({ id, impact, nodes }) =>
        ({ id, impact, nodes: nodes.map(({ html }) => ({ html })) })))`,
  )
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

/**
 * Leaves of `main` only what has these parts, shows them together, and unfolds the first entries of each: axe reads the
 * whole document, also what is hidden, which takes seconds on a long page.
 */
export const leaveOnly = (page: Page, parts: string): Promise<void> =>
  page.evaluate<void>(`(() => {
    const parts = ${JSON.stringify(parts)}
    for (const child of [...document.querySelector('main').children]) {
      if (child.matches(parts) || child.querySelector(parts)) child.hidden = false
      else child.remove()
    }
    for (const part of document.querySelectorAll(parts))
      for (const details of [...part.querySelectorAll('details')].slice(0, 3)) details.open = true
  })()`)

/**
 * The serious and critical findings of axe in the light scheme and in the dark one.
 *
 * A scheme sets colours alone, so the other rules find the same in both.
 */
export async function inaccessibleInSchemes(page: Page, within: string): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await inaccessible(page, 'all', within)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await inaccessible(page, 'colours', within)
  return [...light.map((flaw) => `light: ${flaw}`), ...dark.map((flaw) => `dark: ${flaw}`)]
}
