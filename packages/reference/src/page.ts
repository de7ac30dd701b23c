import { createHash } from 'node:crypto'
import { codesHtml } from './code/codes.ts'
import { schemasHtml } from './operation/components.ts'
import { type Credential, documentCredential } from './document/credential.ts'
import { type Context, contextOf } from './document/context.ts'
import { type Guide, guideAnchor, guideLinks, type GuideName, guidesHtml } from './guide/guide.ts'
import { eventsHtml } from './operation/events.ts'
import { type Html, html, toText, trusted } from './html/html.ts'
import { navigationHtml } from './navigation.ts'
import { endpointsOf, type OpenApi } from './document/open-api.ts'
import { operationHtml } from './operation/operation.ts'
import { inline, paragraphs, sectionsOf } from './html/prose.ts'
import type { Language } from './text/language.ts'
import type { Texts } from './text/texts.ts'
import { type Walk, walkHtml } from './walk/walk.ts'

/** A server that the page can send requests to. */
export type TryServer = {
  readonly name: string
  /** Without `/v1`; empty: the server of the page. */
  readonly url: string
  /** The server accepts any key with this prefix: the page generates one, and sends no other key there. */
  readonly freeKeyPrefix?: string
}

export type ReferenceOptions = {
  /** The path of the document, relative to the page. */
  readonly documentPath: string
  /** The first is selected when the page opens. */
  readonly servers: readonly TryServer[]
  /** In this order. */
  readonly guides?: readonly GuideName[]
  /** The words of this service in place of words of the guides, such as the prefix of its headers. */
  readonly words?: Readonly<Record<string, string>>
  readonly walk?: Walk
  /** The language of the page’s own words: `en` by default. The document, the guides and the walk have theirs. */
  readonly language?: Language
  /** The page in the other language, relative to this one. */
  readonly otherLanguagePath?: string
}

export type ReferencePage = {
  readonly html: string
  /** Headers of the page’s response: its policy forbids loading anything and calling other servers. */
  readonly headers: Readonly<Record<string, string>>
}

/** The output of a build of the sources of the browser and of the documents. */
export type Assets = { readonly script: string; readonly style: string; readonly guides: readonly Guide[] }

/** The page, made of built assets. */
export function pageOf(openApi: string, options: ReferenceOptions, assets: Assets): ReferencePage {
  const context = contextOf(JSON.parse(openApi) as OpenApi, options.language)
  const page = pageHtml(context, options, assets)
  return { html: `<!doctype html>\n${toText(page)}`, headers: headersOf(assets, options.servers) }
}

const sha256 = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

function headersOf({ style, script }: Assets, servers: readonly TryServer[]): Readonly<Record<string, string>> {
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
    'trusted-types': "'none'",
  }
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': Object.entries(policy)
      .map(([name, value]) => `${name} ${value}`)
      .join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
  }
}

function pageHtml(context: Context, options: ReferenceOptions, assets: Assets): Html {
  const { title, version } = context.document.info
  const { texts, language } = context
  const guides = guidesOf(options, assets)
  return html`<html lang="${language}">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>${texts.title.replace('{}', title)}</title>
      <link rel="icon" href="data:," />
      ${trusted(`<style>${assets.style}</style>`)}
    </head>
    <body>
      <a class="skip" href="#main">${texts.skip}</a>
      <header>
        <p class="brand"><b>${title}</b> API <span>${version}</span></p>
        ${otherLanguage(options)}${sessionHtml(context, options.servers)}
      </header>
      <div class="columns">
        ${navigationHtml(context, guides, options.walk)}
        <main id="main" tabindex="-1">
          ${introductionHtml(context, options.documentPath, guides)} ${options.walk && walkHtml(options.walk, context)}
          ${basicsHtml(context)} ${groupsHtml(context)} ${eventsHtml(context)} ${codesHtml(context)}
          ${schemasHtml(context)} ${guidesHtml(guides)}
          <p class="turn"><a id="previous"></a> <a id="next"></a></p>
        </main>
      </div>
      ${trusted(`<script>${assets.script}</script>`)}
    </body>
  </html> `
}

/** The guides of the page. A link to another one leads to the page in the other language, if there is one. */
function guidesOf({ guides = [], words = {}, otherLanguagePath }: ReferenceOptions, assets: Assets): Guide[] {
  const absent = assets.guides.map(({ name }) => name).filter((name) => !guides.includes(name as GuideName))
  const link = new RegExp(`<a href="(#${guideAnchor(`(?:${absent.join('|')})`)}(?:-[^"]*)?)">(.*?)</a>`, 'g')
  const away = (_: string, anchor: string, text: string): string =>
    otherLanguagePath === undefined ? text : `<a href="${otherLanguagePath}${anchor}">${text}</a>`
  return guides.map((name) => {
    const found = assets.guides.find((guide) => guide.name === name)
    if (!found) throw new Error(`The build has no guide ${name}`)
    const content = Object.entries(words).reduce((text, [word, own]) => text.replaceAll(word, () => own), found.html)
    return { ...found, html: content.replaceAll(link, away) }
  })
}

/** The names of the languages, each in its own. */
const languageNames: Readonly<Record<Language, string>> = { en: 'English', es: 'Español' }

const otherLanguage = ({ language, otherLanguagePath: path }: ReferenceOptions): Html | false => {
  const other = language === 'es' ? 'en' : 'es'
  return (
    path !== undefined &&
    html`<a id="language" href="${path}" hreflang="${other}" lang="${other}">${languageNames[other]}</a>`
  )
}

const sessionHtml = ({ document, texts }: Context, servers: readonly TryServer[]): Html => {
  const credential = documentCredential(document)
  const free = (prefix: string | undefined): Html | false =>
    prefix !== undefined && html` data-free-key-prefix="${prefix}"`
  return html`<form class="session" id="session">
    <label
      ><span>${texts.server}</span>
      <select name="server">
        ${servers.map(
          ({ name, url, freeKeyPrefix }) => html`<option value="${url}" ${free(freeKeyPrefix)}>${name}</option>`,
        )}
      </select></label
    >
    ${credential && credentialHtml(credential, texts)}
  </form>`
}

const credentialHtml = ({ label, header, prefix }: Credential, texts: Texts): Html =>
  html`<label
    ><span>${label === 'Key' ? texts.key : label}</span>
    <input
      name="key"
      placeholder="${header}${prefix !== '' && html`: ${prefix}…`}"
      data-label="${label}"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
  /></label>`

const introductionHtml = (
  { document, links, texts }: Context,
  documentPath: string,
  guides: readonly Guide[],
): Html => {
  const [first] = sectionsOf(document.info.description ?? '')
  return html`<section class="group" id="introduction">
    <h1>${document.info.title} API</h1>
    ${first?.title === '' && paragraphs(first.text, links)}${guideLinks(guides, texts.guides)}
    <p>${texts.shows} <a href="${documentPath}">${texts.openApi}</a>.</p>
  </section>`
}

/** The sections of the document’s description. */
const basicsHtml = ({ document, links }: Context): Html =>
  html`${sectionsOf(document.info.description ?? '')
    .filter(({ title }) => title !== '')
    .map(
      ({ title, anchor, text }) =>
        html`<section class="group basics" id="${anchor}">
          <h2><a href="#${anchor}">${title}</a></h2>
          ${paragraphs(text, links)}
        </section> `,
    )}`

const groupsHtml = (context: Context): Html => {
  const endpoints = endpointsOf(context.document.paths)
  return html`${(context.document.tags ?? []).map((tag) => {
    const { name, description = '' } = tag
    const own = endpoints.filter(({ operation }) => operation.tags.includes(name))
    if (own.length === 0) return html``
    const anchor = `tag-${name.replaceAll(' ', '-')}`
    return html`<section class="group" id="${anchor}">
        <h2><a href="#${anchor}">${tag['x-displayName'] ?? name}</a></h2>
        <p>${inline(description, context.links)}</p>
      </section>
      ${own.map((endpoint) => operationHtml(endpoint, context))}`
  })}`
}
