/** A headless browser, and what the console says, for tests. */
export { type AxeRules, inaccessible, inaccessibleInSchemes, leaveOnly } from './axe.ts'
export { startBrowser } from './browser.ts'
export { textsOfLanguage } from './texts.ts'
