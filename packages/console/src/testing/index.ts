/** A headless browser, for tests. */
export { startBrowser } from './browser.ts'
