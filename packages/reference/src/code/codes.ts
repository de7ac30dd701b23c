import { headersHtml } from '../operation/answers.ts'
import type { Context } from '../document/context.ts'
import { type DocumentedError, isCommon, meaningOf } from '../document/errors.ts'
import { type Html, html } from '../html/html.ts'
import { jsonHtml } from '../html/json.ts'
import { errorAnchor, reviewAnchor } from '../document/links.ts'
import type { Explanation } from '../document/open-api.ts'
import { inline } from '../html/prose.ts'

const debited = { nothing: 'nothing', released: 'released', unknown: 'unknown', not_credited: 'notCredited' } as const

/** Every code of errors and payouts, then those of reviews: what each means and what to do. */
export const codesHtml = (context: Context): Html => {
  const { texts, links } = context
  const { errors, payouts, reviews } = context.codes
  const codes = [...new Set([...context.errors.keys(), ...Object.keys({ ...errors, ...payouts })])]
  return html`<section class="group" id="errors-list">
      <h2><a href="#errors-list">${texts.errorCodes}</a></h2>
      <p>${inline(texts.errorCodesLead, links)}</p>
      <ul class="errors">
        ${codes.map((code) => codeHtml(code, context))}
      </ul>
    </section>
    ${Object.keys(reviews).length > 0 && reviewsHtml(context)} `
}

const reviewsHtml = (context: Context): Html =>
  html`<section class="group" id="review-codes">
    <h2><a href="#review-codes">${context.texts.reviewCodes}</a></h2>
    <p>${inline(context.texts.reviewCodesLead, context.links)}</p>
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
  const content = html`${isBoth && html`<h3>${context.texts.asHttpError}</h3>`}${ofErrors && explanationHtml(ofErrors, context)}${error && answerHtml(error, context)}${isBoth && html`<h3>${context.texts.asPayoutError}</h3>`}${ofPayouts && explanationHtml(ofPayouts, context)}`
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

const explanationHtml = (explained: Explanation, { links, texts }: Context): Html =>
  html`<dl class="explanation">
    <dt>${texts.when}</dt>
    <dd>${inline(explained.when, links)}</dd>
    <dt>${texts.debited}</dt>
    <dd>${texts[debited[explained.debited]]}</dd>
    <dt>${texts.whatToDo}</dt>
    <dd>${inline(explained.remedy, links)}</dd>
    <dt>${texts.retry}</dt>
    <dd>${texts[explained.retry]}</dd>
  </dl> `

const answerHtml = (error: DocumentedError, context: Context): Html =>
  html`<p>${context.texts.from} ${fromHtml(error, context)}.</p>
    ${headersHtml(error.response, context)}
    <pre tabindex="0">${jsonHtml(error.example)}</pre>`

function fromHtml(error: DocumentedError, { texts }: Context): Html {
  const { endpoints } = error
  if (endpoints.length === 0) return html`${texts.anyAddress}`
  if (isCommon(error)) return html`${texts.operations.replace('{}', String(endpoints.length))}`
  return html`${endpoints.map(
    ({ method, path, operation }, index) =>
      html`${index > 0 && ', '}<a href="#${operation.operationId}"><code>${method} ${path}</code></a>`,
  )}`
}
