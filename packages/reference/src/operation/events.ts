import { examplesHtml } from './answers.ts'
import type { Context } from '../document/context.ts'
import { fieldList, folded } from '../schema/fields.ts'
import { type Html, html } from '../html/html.ts'
import { eventAnchor } from '../document/links.ts'
import { endpointsOf } from '../document/open-api.ts'
import { inline, paragraphs } from '../html/prose.ts'
import { jsonOf } from './sample.ts'

/** The events: each with its headers, schema and example. */
export function eventsHtml(context: Context): Html {
  const { texts, links } = context
  const events = endpointsOf(context.document['x-webhooks'])
  if (events.length === 0) return html``
  return html`<section class="group" id="events-sent">
      <h2><a href="#events-sent">${texts.events}</a></h2>
      <p>${inline(texts.eventsLead, links)}</p>
      ${headersHtml(context)}
    </section>
    ${events.map(({ path: type, operation }) => {
      const json = jsonOf(operation)
      const anchor = eventAnchor(type)
      return html`<section class="operation event" id="${anchor}" aria-labelledby="${anchor}-title">
        <h3 id="${anchor}-title">
          <a href="#${anchor}"><code>${type}</code></a>
        </h3>
        <div class="said">
          <p>${inline(operation.summary, context.links)}</p>
          ${operation.description !== undefined && paragraphs(operation.description, context.links)}${json && folded(json.schema, context, true)}
          ${Object.entries(operation.responses).map(([status, { description }]) => html`<p>${texts.answer} <code>${status}</code>: ${inline(description, context.links)}</p>`)}
        </div>
        <div class="shown">
          <div class="panel examples">
            <p class="bar"><span>${texts.sent}</span></p>
            ${json && examplesHtml(json.examples ?? {}, 'POST')}
          </div>
        </div>
      </section> `
    })}`
}

/** The headers are the same for every event, so the first one shows all. */
function headersHtml(context: Context): Html {
  const [event] = endpointsOf(context.document['x-webhooks'])
  const fields = (event?.operation.parameters ?? []).map((parameter) => ({
    ...parameter,
    isRequired: parameter.required ?? false,
  }))
  return fieldList(fields, context)
}
