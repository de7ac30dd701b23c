import { createHash } from 'node:crypto'
import { pageScript, pageStyle } from './assets.ts'
import { errorsHtml, schemasHtml } from './schema/components.ts'
import { type Credential, documentCredential } from './document/credential.ts'
import { type Context, contextOf } from './document/context.ts'
import { eventsHtml } from './operation/events.ts'
import { type Html, html, toText, trusted } from './html/html.ts'
import { navigationHtml } from './navigation.ts'
import { endpointsOf, type OpenApi } from './document/open-api.ts'
import { operationHtml } from './operation/operation.ts'
import { inline, paragraphs, sectionsOf } from './html/prose.ts'

/** A server that the page can send requests to. */
export type TryServer = {
  readonly name: string
  /** Without `/v1`; empty: the server of the page. */
  readonly url: string
  /** The server accepts any key with this prefix: the page generates one, and sends no other key there. */
  readonly freeKeyPrefix?: string
  /**
   * An operation whose answer replaces example values: the page sends it before the first form that
   * shows a value of its example answer. Left out: the server accepts the examples.
   */
  readonly examplesFrom?: string
}

export type ReferencePage = {
  readonly html: string
  /** Headers of the page’s response: its policy forbids loading anything and calling other servers. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Makes the reference page of an OpenAPI 3.1 document: one text that loads nothing.
 *
 * @param openApi  the JSON text of the served document
 * @param documentPath  the path of the document, relative to the page
 * @param servers  the first is selected when the page opens
 */
export function referencePage(
  openApi: string,
  documentPath: string,
  servers: readonly TryServer[],
): ReferencePage {
  const document = JSON.parse(openApi) as OpenApi
  const style = pageStyle()
  const script = pageScript()
  const page = pageHtml(contextOf(document), { style, script, documentPath, servers })
  return { html: `<!doctype html>\n${toText(page)}`, headers: headersOf(style, script, servers) }
}

const sha256 = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

function headersOf(
  style: string,
  script: string,
  servers: readonly TryServer[],
): Readonly<Record<string, string>> {
  const others = servers.filter(({ url }) => url !== '').map(({ url }) => new URL(url).origin)
  const policy = {
    'default-src': "'none'",
    'style-src': sha256(style),
    'script-src': sha256(script),
    'connect-src': ["'self'", ...others].join(' '),
    'img-src': 'data:',
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
  }
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': Object.entries(policy)
      .map(([name, value]) => `${name} ${value}`)
      .join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  }
}

type Parts = {
  readonly style: string
  readonly script: string
  readonly documentPath: string
  readonly servers: readonly TryServer[]
}

const pageHtml = (context: Context, { style, script, documentPath, servers }: Parts): Html => {
  const { title, version } = context.document.info
  const credential = documentCredential(context.document)
  return html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>${title} API reference</title>
      <link rel="icon" href="data:," />
      ${trusted(`<style>${style}</style>`)}
    </head>
    <body>
      <a class="skip" href="#main">Skip to the reference</a>
      <header>
        <p class="brand"><b>${title}</b> API <span>${version}</span></p>
        <form class="session" id="session">
          <label
            >Server
            <select name="server">
              ${servers.map(({ name, url, freeKeyPrefix, examplesFrom }) => html`<option value="${url}" ${freeKeyPrefix !== undefined && html` data-free-key-prefix="${freeKeyPrefix}"`}${examplesFrom !== undefined && html` data-examples-from="${examplesFrom}"`}>${name}</option>`)}
            </select></label
          >
          ${credential && credentialHtml(credential)}
        </form>
      </header>
      <div class="columns">
        ${navigationHtml(context)}
        <main id="main" tabindex="-1">
          ${introductionHtml(context, documentPath)} ${groupsHtml(context)} ${eventsHtml(context)}
          ${errorsHtml(context)} ${schemasHtml(context)}
        </main>
      </div>
      ${trusted(`<script>${script}</script>`)}
    </body>
  </html> `
}

const credentialHtml = ({ label, header, prefix }: Credential): Html =>
  html`<label
    >${label}
    <input
      name="key"
      placeholder="${header}${prefix !== '' && html`: ${prefix}…`}"
      data-label="${label}"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
  /></label>`

const introductionHtml = ({ document, links }: Context, documentPath: string): Html =>
  html`<section class="group" id="introduction">
    <h1>${document.info.title} API</h1>
    ${sectionsOf(document.info.description ?? '').map(
      ({ title, anchor, text }) =>
        html`${title !== '' && html`<h2 id="${anchor}"><a href="#${anchor}">${title}</a></h2> `}${paragraphs(text, links)}`,
    )}
    <p>This page shows <a href="${documentPath}">the OpenAPI document</a>.</p>
  </section>`

const groupsHtml = (context: Context): Html => {
  const endpoints = endpointsOf(context.document.paths)
  return html`${(context.document.tags ?? []).map(({ name, description = '' }) => {
    const own = endpoints.filter(({ operation }) => operation.tags.includes(name))
    if (own.length === 0) return html``
    const anchor = `tag-${name.replaceAll(' ', '-')}`
    return html`<section class="group" id="${anchor}">
        <h2><a href="#${anchor}">${name}</a></h2>
        <p>${inline(description, context.links)}</p>
      </section>
      ${own.map((endpoint) => operationHtml(endpoint, context))}`
  })}`
}
