/** A headless browser, and what the console says, for tests. */
export { startBrowser } from './browser.ts'
export { textsOfLanguage } from './texts.ts'
