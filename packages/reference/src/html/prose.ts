import { type Html, html } from './html.ts'
import { headingAnchor, type Links } from '../document/links.ts'

/** One line of text. Text between backquotes is code, linked to its explanation. */
export function inline(text: string, links: Links): Html {
  const parts = text.split('`')
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : coded(part, links)))}`
}

/** A word of the API, linked to its explanation. */
export function coded(word: string, links: Links): Html {
  const anchor = links.get(word)
  const code = html`<code>${word}</code>`
  return anchor === undefined ? code : html`<a href="#${anchor}">${code}</a>`
}

/** Paragraphs, separated by empty lines. Supports no other Markdown than this and the headings of `sectionsOf`. */
export const paragraphs = (text: string, links: Links): Html =>
  html`${text.split(/\n\s*\n/).map((paragraph) => html`<p>${inline(paragraph.trim(), links)}</p> `)}`

/** A section of the document’s description, with its heading `## Title`. The first has no title. */
export type Section = { readonly title: string; readonly anchor: string; readonly text: string }

export const sectionsOf = (description: string): Section[] =>
  description.split(/^## /m).flatMap((part, index) => {
    const [title = '', ...lines] = index === 0 ? ['', part] : part.split('\n')
    const text = lines.join('\n').trim()
    return text === '' ? [] : [{ title, anchor: headingAnchor(title), text }]
  })
