import { examplesHtml, headersHtml } from '../operation/answers.ts'
import type { Context } from '../document/context.ts'
import { type DocumentedError, isCommon, meaningOf } from '../document/errors.ts'
import { limitsHtml, membersOf } from './fields.ts'
import { type Html, html } from '../html/html.ts'
import { jsonHtml } from '../html/json.ts'
import { errorAnchor, schemaAnchor } from '../html/links.ts'
import { inline, paragraphs } from '../html/prose.ts'

/** Every error code, each with an example of its answer. */
export const errorsHtml = (context: Context): Html =>
  html`<section class="group" id="errors-list">
    <h2><a href="#errors-list">Error codes</a></h2>
    <ul class="errors">
      ${[...context.errors.values()].map((error) => errorHtml(error, context))}
    </ul>
  </section> `

function errorHtml(error: DocumentedError, context: Context): Html {
  const { code, status, example, response } = error
  return html`<li id="${errorAnchor(code)}">
    <details>
      <summary>
        <code class="status">${status}</code> <code class="name">${code}</code>
        <span>${inline(meaningOf(code, response), context.links)}</span>
      </summary>
      <p>From ${fromHtml(error)}.</p>
      ${headersHtml(response, context)}
      <pre>${jsonHtml(example)}</pre>
    </details>
  </li> `
}

function fromHtml(error: DocumentedError): Html {
  const { endpoints } = error
  if (endpoints.length === 0) return html`any address`
  if (isCommon(error)) return html`${endpoints.length} operations`
  return html`${endpoints.map(
    ({ method, path, operation }, index) =>
      html`${index > 0 && ', '}<a href="#${operation.operationId}"
          ><code>${method} ${path}</code></a
        >`,
  )}`
}

/** Every named schema. */
export const schemasHtml = (context: Context): Html =>
  html`<section class="group" id="schemas">
      <h2><a href="#schemas">Schemas</a></h2>
    </section>
    ${Object.entries(context.document.components.schemas).map(([name, schema]) => {
      const anchor = schemaAnchor(name)
      const examples = Object.fromEntries(
        (schema.examples ?? []).map((value, index) => [`Example ${index + 1}`, { value }]),
      )
      return html`<section class="schema" id="${anchor}" aria-labelledby="${anchor}-title">
        <h3 id="${anchor}-title"><a href="#${anchor}">${name}</a></h3>
        ${schema.description !== undefined && paragraphs(schema.description, context.links)}${limitsHtml(schema, context)}${membersOf(schema, context)}${examplesHtml(examples)}
      </section> `
    })}`
