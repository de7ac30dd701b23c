import { headersHtml } from '../operation/answers.ts'
import type { Context } from '../document/context.ts'
import { type DocumentedError, isCommon, meaningOf } from '../document/errors.ts'
import { type Html, html } from '../html/html.ts'
import { jsonHtml } from '../html/json.ts'
import { errorAnchor, reviewAnchor } from '../document/links.ts'
import type { Explanation } from '../document/open-api.ts'
import { inline } from '../html/prose.ts'

const debited: Readonly<Record<Explanation['debited'], string>> = {
  nothing: 'Nothing.',
  released: 'Nothing: the held USDT is available again.',
  unknown: 'Unknown: if it was a payment, it may have been made.',
  not_credited: 'Nothing, and the deposit is not credited.',
}

const retry: Readonly<Record<Explanation['retry'], string>> = {
  same: 'Yes: the same request, as often as needed.',
  later: 'Yes: the same request, later.',
  changed: 'Only after a change: the same request has the same answer.',
  no: 'No.',
}

/** Every code of errors and payouts, then those of reviews: what each means and what to do. */
export const codesHtml = (context: Context): Html => {
  const { errors, payouts, reviews } = context.codes
  const codes = [...new Set([...context.errors.keys(), ...Object.keys({ ...errors, ...payouts })])]
  return html`<section class="group" id="errors-list">
      <h2><a href="#errors-list">Error codes</a></h2>
      <p>
        With a status: the <code>code</code> of an HTTP error. With <b>payout</b>: the <code>error.code</code> of a
        payout that was not paid.
      </p>
      <ul class="errors">
        ${codes.map((code) => codeHtml(code, context))}
      </ul>
    </section>
    ${Object.keys(reviews).length > 0 && reviewsHtml(context)} `
}

const reviewsHtml = (context: Context): Html =>
  html`<section class="group" id="review-codes">
    <h2><a href="#review-codes">Review codes</a></h2>
    <p>The <code>review_code</code> of a deposit that is <code>in_review</code>.</p>
    <ul class="errors">
      ${Object.entries(context.codes.reviews).map(([code, explanation]) =>
        itemHtml(
          { anchor: reviewAnchor(code), code, labels: ['deposit'], summary: explanation.when },
          explanationHtml(explanation, context),
          context,
        ),
      )}
    </ul>
  </section> `

function codeHtml(code: string, context: Context): Html {
  const error = context.errors.get(code)
  const ofErrors = context.codes.errors[code]
  const ofPayouts = context.codes.payouts[code]
  const labels = [...(error ? [error.status] : []), ...(ofPayouts ? ['payout'] : [])]
  const isBoth = error !== undefined && ofPayouts !== undefined
  const content = html`${isBoth && html`<h3>As an HTTP error</h3>`}${ofErrors && explanationHtml(ofErrors, context)}${error && answerHtml(error, context)}${isBoth && html`<h3>As the error of a payout</h3>`}${ofPayouts && explanationHtml(ofPayouts, context)}`
  const meaning = error && meaningOf(code, error.response)
  const summary = (ofErrors ?? ofPayouts)?.when ?? meaning ?? ''
  return itemHtml({ anchor: errorAnchor(code), code, labels, summary }, content, context)
}

type Item = {
  readonly anchor: string
  readonly code: string
  readonly labels: readonly string[]
  readonly summary: string
}

const itemHtml = ({ anchor, code, labels, summary }: Item, content: Html, { links }: Context): Html =>
  html`<li id="${anchor}">
    <details>
      <summary>
        ${labels.map((label) => html`<code class="status">${label}</code> `)}<code class="name">${code}</code>
        <span>${inline(summary, links)}</span>
      </summary>
      ${content}
    </details>
  </li> `

const explanationHtml = (explained: Explanation, { links }: Context): Html =>
  html`<dl class="explanation">
    <dt>When</dt>
    <dd>${inline(explained.when, links)}</dd>
    <dt>Debited</dt>
    <dd>${debited[explained.debited]}</dd>
    <dt>What to do</dt>
    <dd>${inline(explained.remedy, links)}</dd>
    <dt>Retry</dt>
    <dd>${retry[explained.retry]}</dd>
  </dl> `

const answerHtml = (error: DocumentedError, context: Context): Html =>
  html`<p>From ${fromHtml(error)}.</p>
    ${headersHtml(error.response, context)}
    <pre tabindex="0">${jsonHtml(error.example)}</pre>`

function fromHtml(error: DocumentedError): Html {
  const { endpoints } = error
  if (endpoints.length === 0) return html`any address`
  if (isCommon(error)) return html`${endpoints.length} operations`
  return html`${endpoints.map(
    ({ method, path, operation }, index) =>
      html`${index > 0 && ', '}<a href="#${operation.operationId}"><code>${method} ${path}</code></a>`,
  )}`
}
