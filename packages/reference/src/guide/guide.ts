import { type Html, html, trusted } from '../html/html.ts'

/** A document of this project, as the build renders it from Markdown. */
export type Guide = {
  readonly name: string
  readonly title: string
  /** Without the title. Headings begin at level 3 and have anchors that begin with `guide-<name>`. */
  readonly html: string
}

/** Which documents stand beside which reference, by the name in their anchors. */
export const guideFiles = {
  'five-minutes': 'guides/five-minutes.md',
  tutorial: 'tutorial.md',
  retries: 'guides/idempotency-and-retries.md',
  webhooks: 'guides/webhooks.md',
  'api-keys': 'guides/keys.md',
  'es-five-minutes': 'es/five-minutes.md',
  'es-tutorial': 'es/tutorial.md',
  'es-retries': 'es/idempotency-and-retries.md',
  'es-webhooks': 'es/webhooks.md',
  'es-api-keys': 'es/keys.md',
  'es-reconciliation': 'es/reconciliation.md',
  'es-languages': 'es/other-languages.md',
  'es-versions': 'es/versions.md',
  'es-glossary': 'es/glossary.md',
  reconciliation: 'guides/reconciliation.md',
  languages: 'guides/other-languages.md',
  versions: 'guides/versions.md',
  glossary: 'glossary.md',
  operations: 'operations/README.md',
  install: 'operations/install.md',
  deployment: 'operations/deployment.md',
  settings: 'operations/settings.md',
  database: 'operations/database.md',
  metrics: 'operations/metrics.md',
  alerts: 'operations/alerts.md',
  tenants: 'operations/tenants.md',
  money: 'operations/money.md',
  checks: 'operations/checks.md',
  keys: 'operations/keys.md',
  upgrade: 'operations/upgrade.md',
  restore: 'operations/restore.md',
  accounting: 'accounting.md',
  security: 'security.md',
} as const

export type GuideName = keyof typeof guideFiles

export const guideAnchor = (name: string): string => `guide-${name}`

/** The guides, each a section that the script shows alone. */
export const guidesHtml = (guides: readonly Guide[]): Html =>
  html`${guides.map(
    ({ name, title, html: content }) =>
      html`<section
        class="guide"
        id="${guideAnchor(name)}"
        lang="${languageOf(name)}"
        aria-labelledby="${guideAnchor(name)}-title"
      >
        <h2 id="${guideAnchor(name)}-title">${title}</h2>
        ${trusted(content)}
      </section> `,
  )}`

const languageOf = (name: string): string =>
  (guideFiles as Readonly<Record<string, string>>)[name]?.startsWith('es/') ? 'es' : 'en'

/** Links to the guides. */
export const guideLinks = (guides: readonly Guide[], title: string): Html =>
  html`${guides.length > 0 && html`<p>${title}: ${guides.map((guide, index) => html`${index > 0 && ' · '}<a href="#${guideAnchor(guide.name)}">${guide.title}</a>`)}.</p>`}`
