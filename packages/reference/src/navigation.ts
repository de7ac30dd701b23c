import type { Context } from './document/context.ts'
import { type Html, html } from './html/html.ts'
import { errorAnchor, eventAnchor, reviewAnchor, schemaAnchor } from './document/links.ts'
import { type Guide, guideAnchor } from './guide/guide.ts'
import { endpointsOf } from './document/open-api.ts'
import { methodHtml } from './operation/operation.ts'
import { sectionsOf } from './html/prose.ts'
import { type Walk, walkAnchor } from './walk/walk.ts'

type Entry = { readonly anchor: string; readonly label: Html }

/** The table of contents, with a search box. */
export function navigationHtml(
  { document, errors, codes, texts }: Context,
  guides: readonly Guide[],
  walk: Walk | undefined,
): Html {
  const endpoints = endpointsOf(document.paths)
  const tags = (document.tags ?? []).map(({ name, 'x-displayName': displayName = name }) => {
    const own = endpoints.filter(({ operation }) => operation.tags.includes(name))
    return groupHtml(
      displayName,
      own.map(({ method, operation }) => ({
        anchor: operation.operationId,
        label: html`${methodHtml(method)} <span>${operation.summary}</span>`,
      })),
    )
  })
  const start = walk ? [{ anchor: walkAnchor, label: html`${walk.title}` }] : []
  const basics = sectionsOf(document.info.description ?? '')
    .filter(({ title }) => title !== '')
    .map(({ title, anchor }) => ({ anchor, label: html`${title}` }))
  const guideEntries = guides.map(({ name, title }) => ({ anchor: guideAnchor(name), label: html`${title}` }))
  const errorNames = new Set([...errors.keys(), ...Object.keys({ ...codes.errors, ...codes.payouts })])
  const coded = (names: Iterable<string>, anchorOf: (name: string) => string): Entry[] =>
    [...names].map((name) => ({ anchor: anchorOf(name), label: html`<code>${name}</code>` }))
  return html`<nav aria-label="${texts.contents}">
    <details id="contents" open>
      <summary>${texts.contents}</summary>
      <p class="search">
        <input
          type="search"
          id="search-box"
          role="combobox"
          aria-expanded="false"
          aria-controls="results"
          aria-autocomplete="list"
          placeholder="${texts.search}"
          aria-label="${texts.searchAll}"
          autocomplete="off"
        />
      </p>
      <ul id="results" role="listbox" aria-label="${texts.results}" hidden></ul>
      <p id="nothing-found" role="status" hidden>${texts.nothingFound}</p>
      <div id="entries">
        ${groupHtml(texts.start, [...start, ...basics])}${groupHtml(texts.guides, guideEntries)}${tags}${groupHtml(texts.events, coded(Object.keys(document['x-webhooks'] ?? {}), eventAnchor))}${groupHtml(texts.errorCodes, coded(errorNames, errorAnchor), false)}${groupHtml(texts.reviewCodes, coded(Object.keys(codes.reviews), reviewAnchor), false)}${groupHtml(texts.schemas, coded(Object.keys(document.components.schemas), schemaAnchor), false)}
      </div>
    </details>
  </nav>`
}

const groupHtml = (title: string, entries: readonly Entry[], isOpen = true): Html =>
  entries.length === 0
    ? html``
    : html`<details class="entries" ${isOpen && html` open`}>
        <summary>${title}</summary>
        <ul>
          ${entries.map(({ anchor, label }) => html`<li><a href="#${anchor}">${label}</a></li> `)}
        </ul>
      </details> `
