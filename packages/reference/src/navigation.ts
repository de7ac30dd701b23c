import type { Context } from './document/context.ts'
import { type Html, html } from './html/html.ts'
import { errorAnchor, eventAnchor, schemaAnchor } from './html/links.ts'
import { endpointsOf } from './document/open-api.ts'
import { methodHtml } from './operation/operation.ts'
import { sectionsOf } from './html/prose.ts'

type Entry = { readonly anchor: string; readonly label: Html; readonly words: string }

/** The table of contents, with a search box. */
export function navigationHtml({ document, errors }: Context): Html {
  const endpoints = endpointsOf(document.paths)
  const tags = (document.tags ?? []).map(({ name }) => {
    const own = endpoints.filter(({ operation }) => operation.tags.includes(name))
    return groupHtml(
      name,
      own.map(({ method, path, operation }) => ({
        anchor: operation.operationId,
        label: html`${methodHtml(method)} <span>${operation.summary}</span>`,
        words: `${path} ${operation.operationId}`,
      })),
    )
  })
  const guide = sectionsOf(document.info.description ?? '')
    .filter(({ title }) => title !== '')
    .map(({ title, anchor }) => ({ anchor, label: html`${title}`, words: '' }))
  const coded = (names: Iterable<string>, anchorOf: (name: string) => string): Entry[] =>
    [...names].map((name) => ({
      anchor: anchorOf(name),
      label: html`<code>${name}</code>`,
      words: '',
    }))
  return html`<nav aria-label="Contents">
    <details id="contents" open>
      <summary>Contents</summary>
      <p class="search">
        <input
          type="search"
          id="search"
          placeholder="Search (press /)"
          aria-label="Search the contents"
          autocomplete="off"
        />
      </p>
      <p id="nothing-found" role="status" hidden>Nothing found.</p>
      ${groupHtml('Basics', guide)}${tags}${groupHtml('Events that are sent', coded(Object.keys(document.webhooks ?? {}), eventAnchor))}${groupHtml('Error codes', coded(errors.keys(), errorAnchor), false)}${groupHtml('Schemas', coded(Object.keys(document.components.schemas), schemaAnchor), false)}
    </details>
  </nav>`
}

const groupHtml = (title: string, entries: readonly Entry[], isOpen = true): Html =>
  entries.length === 0
    ? html``
    : html`<details class="entries" ${isOpen && html` open`}>
        <summary>${title}</summary>
        <ul>
          ${entries.map(({ anchor, label, words }) => html`<li><a href="#${anchor}" ${words !== '' && html` data-words="${words}"`}>${label}</a></li> `)}
        </ul>
      </details> `
