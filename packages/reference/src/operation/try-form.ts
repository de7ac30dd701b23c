import type { Context } from '../document/context.ts'
import { exampleOf } from '../schema/fields.ts'
import { type Html, html } from '../html/html.ts'
import type { Endpoint, Operation, Parameter } from '../document/open-api.ts'
import type { SampleRequest } from '../sample/sample-request.ts'
import { jsonOf, sampleOf } from './sample.ts'

/** A form prefilled with the examples, folded. */
export function tryPanel(endpoint: Endpoint, context: Context): Html {
  const { operationId: id, parameters = [] } = endpoint.operation
  const sample = sampleOf(endpoint, context)
  const fields = html`${parameters.map((parameter) => inputHtml(id, parameter, context))}${
    sample.body !== '' && bodyHtml(endpoint.operation, sample.body, context)
  }`
  return html`<details class="panel try">
    <summary>${context.texts.tryIt}</summary>
    ${requestForm(sample, fields, context)}
  </details>`
}

/** A form that the page’s script sends. */
export const requestForm = (sample: SampleRequest, fields: Html, { texts }: Context): Html => {
  const { operationId, method, path, credential } = sample
  const access =
    credential &&
    html` data-key-header="${credential.header}" data-key-prefix="${credential.prefix}"
    data-key-variable="${credential.variable}"`
  return html`<form data-operation="${operationId}" data-method="${method}" data-path="${path}" ${access}>
    ${fields}
    <p class="sending"><button type="submit">${texts.send}</button> <span class="progress" role="status"></span></p>
    <div class="outcome" hidden></div>
  </form>`
}

/** Prefills a required parameter; an optional one shows its example as a placeholder. */
function inputHtml(id: string, { name, in: place, schema, required }: Parameter, context: Context): Html {
  const example = String(exampleOf(schema, context))
  const words = schema.enum?.map(String)
  const key = `${id}-${name}`
  const label = html`<label for="${key}">${name}${!required && html` <small>${context.texts.optional}</small>`}</label>`
  if (words)
    return html`<p>
      ${label}<select id="${key}" name="${name}" data-in="${place}">
        <option value=""></option>
        ${words.map((word) => html`<option>${word}</option>`)}
      </select>
    </p> `
  const filled = required ? html` value="${example}"` : html` placeholder="${example}"`
  return html`<p>
    ${label}<input
      id="${key}"
      name="${name}"
      data-in="${place}"
      ${filled}${required && html` required`}
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
    />
  </p> `
}

function bodyHtml(operation: Operation, body: string, { texts }: Context): Html {
  const examples = Object.entries(jsonOf(operation)?.examples ?? {})
  const id = `${operation.operationId}-body`
  const choice = html`<select class="choice" aria-label="${texts.bodyExample}">
    ${examples.map(([name, { value }]) => html`<option value="${JSON.stringify(value, null, 2)}">${name}</option>`)}
  </select>`
  return html`<p><label for="${id}">${texts.body}</label>${examples.length > 1 && choice}${bodyField(id, body)}</p>`
}

/** The text of a body. Its first line break is not part of the text. */
export const bodyField = (id: string, body: string, isHidden = false): Html =>
  html`<textarea
    id="${id}"
    data-in="body"
    rows="${body.split('\n').length}"
    autocomplete="off"
    autocapitalize="off"
    spellcheck="false"
    ${isHidden && html` hidden`}
  >
${body}</textarea>`
