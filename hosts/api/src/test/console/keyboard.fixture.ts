import { expect } from 'vitest'
import type { Opened } from './opened-page.fixture.ts'

/** Steps of a test on a page without a pointer. */
export type Keyboard = {
  /**
   * Goes with the tab key to the button, and presses it. A dialog that it opens is checked.
   *
   * @param name  its whole text
   */
  press(name: string): Promise<void>
  /** Goes with the tab key to the link, and follows it. @param name  its whole text */
  enter(name: string): Promise<void>
  /** Goes to a field of the open dialog by its name, and types. */
  type(field: string, text: string): Promise<void>
  /** Goes to a checkbox of the open dialog by its value, and switches it. */
  check(value: string): Promise<void>
  /** Goes to a field for a file by its label, and chooses one there. */
  attach(label: string, file: string): Promise<void>
}

const tabsMax = 400

/** How often to press the tab key before looking again where the focus is: at least once, unless it is there. */
const tabsAway = `(isIt) => {
  const { activeElement } = document
  if (isIt(activeElement)) return 0
  const within = document.querySelector('dialog[open]') ?? document
  const stops = [...within.querySelectorAll('a, button, input, select, textarea, summary, [tabindex]')]
    .filter((e) => e === activeElement || (e.tabIndex >= 0 && !e.disabled && e.checkVisibility({ visibilityProperty: true })))
  const from = stops.indexOf(activeElement)
  return Math.max(1, stops.findIndex((e, at) => at > from && isIt(e)) - from)
}`

/** @throws Error when an opened dialog breaks a rule */
export function keyboardOf({ page, dialogFlaws }: Pick<Opened, 'page' | 'dialogFlaws'>): Keyboard {
  const tabTo = async (what: string, condition: string): Promise<void> => {
    let tabs = 0
    while (tabs < tabsMax) {
      const away = await page.evaluate<number>(`(${tabsAway})((e) => e !== null && (${condition}))`)
      if (away === 0) return
      tabs += away
      // Held down, as a person does who has far to go.
      await Promise.all(Array.from({ length: away }, () => page.keyboard.down('Tab')))
      await page.keyboard.up('Tab')
    }
    throw new Error(`the tab key does not reach ${what}`)
  }
  const tabToText = async (element: 'BUTTON' | 'A', name: string): Promise<void> => {
    const role = element === 'A' ? 'link' : 'button'
    await page.getByRole(role, { name, exact: true }).first().waitFor()
    const text = JSON.stringify(name)
    await tabTo(name, `e.tagName === '${element}' && e.textContent.trim() === ${text}`)
  }
  return {
    press: async (name) => {
      await tabToText('BUTTON', name)
      const isOpener = await page.evaluate<boolean>(`document.activeElement.nextElementSibling?.tagName === 'DIALOG'`)
      await page.keyboard.press('Enter')
      if (!isOpener) return
      // The dialog sets the focus once it is rendered: a key before that would go elsewhere.
      await page.locator('dialog[open] :focus').waitFor()
      const flaws = await dialogFlaws()
      if (flaws.length > 0) throw new Error(`the dialog ${name}: ${flaws.join('; ')}`)
    },
    enter: async (name) => {
      await tabToText('A', name)
      await page.keyboard.press('Enter')
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
    attach: async (label, file) => {
      const field = page.locator('dialog[open]').getByLabel(label)
      const id = JSON.stringify(await field.getAttribute('id'))
      await tabTo(label, `e.id === ${id}`)
      const value = (): Promise<string> => page.locator('dialog[open] input[type=hidden]').inputValue()
      const before = await value()
      const chooser = page.waitForEvent('filechooser')
      await page.keyboard.press('Enter')
      const buffer = Buffer.from(file)
      await (await chooser).setFiles({ name: 'file', mimeType: 'text/plain', buffer })
      // The page reads the file before it can be sent.
      await expect.poll(async () => ['', before].includes(await value())).toBe(false)
    },
  }
}
