import type { Context } from '../document/context.ts'
import { type Html, html } from '../html/html.ts'
import { endpointsOf } from '../document/open-api.ts'
import { inline, paragraphs } from '../html/prose.ts'
import { samplePanel } from '../operation/sample-panel.ts'
import { sampleOf } from '../operation/sample.ts'
import { bodyField, requestForm } from '../operation/try-form.ts'

/** A request of a walk. */
export type WalkStep = {
  /** The `operationId`. */
  readonly operation: string
  readonly title: string
  /** Text as in descriptions. */
  readonly says: string
  /** Parameters of the query. */
  readonly query?: Readonly<Record<string, string>>
}

/** Requests in order, each of which uses values of the answers before it. */
export type Walk = { readonly title: string; readonly says: string; readonly steps: readonly WalkStep[] }

export const walkAnchor = 'walk'

/** A walk through the API, each step with its code and a button that sends it. */
export const walkHtml = ({ title, says, steps }: Walk, context: Context): Html =>
  html`<section class="group walk" id="${walkAnchor}" aria-labelledby="walk-title">
    <h2 id="walk-title"><a href="#${walkAnchor}">${title}</a></h2>
    ${paragraphs(says, context.links)}
    <p class="sending">
      <button type="button" id="run-walk">${context.texts.runAll.replace('{}', String(steps.length))}</button>
      <span class="progress" role="status" id="walk-progress"></span>
    </p>
    <ol>
      ${steps.map((step, index) => stepHtml(step, index + 1, context))}
    </ol>
  </section> `

function stepHtml({ operation, title, says, query = {} }: WalkStep, number: number, context: Context): Html {
  const endpoint = endpointsOf(context.document.paths).find((each) => each.operation.operationId === operation)
  if (!endpoint) throw new Error(`The walk names the operation ${operation}, which does not exist`)
  const sample = { ...sampleOf(endpoint, context), query: Object.entries(query) }
  const fields = html`${sample.query.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" data-in="query" />`)}${sample.body !== '' && bodyField(`walk-${number}-body`, sample.body, true)}`
  return html`<li class="request" id="walk-${number}">
    <div class="said">
      <h3>${title}</h3>
      <p>${inline(says, context.links)}</p>
      <p><a href="#${operation}">${endpoint.operation.summary}</a></p>
    </div>
    <div class="shown">${samplePanel(sample, context)} ${requestForm(sample, fields, context)}</div>
  </li> `
}
