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
export async function inaccessible(
  page: Page,
  rules: AxeRules,
  within = 'html',
): Promise<string[]> {
  if (rules === 'none') return []
  // Once a document: the source has half a megabyte.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source)
  const options = {
    ...{ resultTypes: ['violations'], preload: false, iframes: false, elementRef: false },
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
