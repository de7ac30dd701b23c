import { type Html, html } from './html.ts'

/** A string value, or the name of a member before its colon. */
const token = /("(?:[^"\\]|\\.)*")(:)?/g

/** Indented JSON with marked member names. */
export function jsonHtml(value: unknown): Html {
  const text = JSON.stringify(value, null, 2)
  const parts: Html[] = []
  let at = 0
  for (const found of text.matchAll(token)) {
    const [whole, quoted, colon] = found
    if (colon === undefined) continue
    parts.push(html`${text.slice(at, found.index)}<b>${quoted}</b>:`)
    at = found.index + whole.length
  }
  return html`${parts}${text.slice(at)}`
}
