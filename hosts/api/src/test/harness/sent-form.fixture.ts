import type { Page } from 'playwright-core'

/** Clicks Send in the page, without what the mouse of a test costs on a page of this length. @returns the shown outcome */
export const sentForm = (page: Page, operationId: string): Promise<string> =>
  page.evaluate<string>(`(async () => {
    const form = document.querySelector('[id="${operationId}"] details.try')
    const outcome = form.querySelector('.outcome')
    form.setAttribute('open', '')
    const shown = new Promise((done) => {
      new MutationObserver((_, observer) => {
        if (!outcome.querySelector('p')) return
        observer.disconnect()
        done()
      }).observe(outcome, { childList: true, subtree: true })
    })
    form.querySelector('button[type=submit]').click()
    await shown
    const text = outcome.innerText
    form.removeAttribute('open')
    return text
  })()`)
