import type { Page } from 'playwright-core'

/** What a test does on a page without a pointer. */
export type Keyboard = {
  /** Goes with the tab key to the button, and presses it. @param name  its whole text */
  press(name: string): Promise<void>
  /** Goes to a field of the open dialog by its name, and types. */
  type(field: string, text: string): Promise<void>
  /** Goes to a checkbox of the open dialog by its value, and switches it. */
  check(value: string): Promise<void>
}

const tabsMax = 200

export function keyboardOf(page: Page): Keyboard {
  const tabTo = async (what: string, condition: string): Promise<void> => {
    for (let tabs = 0; tabs < tabsMax; tabs++) {
      const isThere = await page.evaluate<boolean>(
        `((e) => e !== null && (${condition}))(document.activeElement)`,
      )
      if (isThere) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`the tab key does not reach ${what}`)
  }
  return {
    press: async (name) => {
      const button = page.getByRole('button', { name, exact: true }).first()
      await button.waitFor()
      const text = JSON.stringify(name)
      await tabTo(name, `e.tagName === 'BUTTON' && e.textContent.trim() === ${text}`)
      const isOpener = await page.evaluate<boolean>(
        `document.activeElement.nextElementSibling?.tagName === 'DIALOG'`,
      )
      await page.keyboard.press('Enter')
      // The dialog sets the focus once it is rendered: a key before that would go elsewhere.
      if (isOpener) await page.locator('dialog[open] :focus').waitFor()
    },
    type: async (field, text) => {
      await tabTo(field, `e.name === ${JSON.stringify(field)}`)
      if (['INPUT', 'TEXTAREA'].includes(await page.evaluate('document.activeElement.tagName')))
        await page.keyboard.press('Control+A')
      await page.keyboard.type(text)
    },
    check: async (value) => {
      await tabTo(value, `e.type === 'checkbox' && e.value === ${JSON.stringify(value)}`)
      await page.keyboard.press('Space')
    },
  }
}
