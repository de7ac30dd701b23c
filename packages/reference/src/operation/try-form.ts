import type { Context } from '../document/context.ts'
import type { Sample } from './curl.ts'
import { exampleOf } from '../schema/fields.ts'
import { type Html, html } from '../html/html.ts'
import type { Parameter } from '../document/open-api.ts'
import { jsonOf } from './sample.ts'

/** A form prefilled with the examples; the page’s script sends it. */
export function tryForm({ endpoint, credential, body }: Sample, context: Context): Html {
  const { method, path, operation } = endpoint
  const id = operation.operationId
  return html`<details class="panel try">
    <summary>Try it</summary>
    <form
      data-method="${method}"
      data-path="${path}"
      ${credential !== undefined && html` data-key-header="${credential.header}" data-key-prefix="${credential.prefix}"`}
    >
      ${(operation.parameters ?? []).map((parameter) => inputHtml(id, parameter, context))}${body !== undefined && bodyHtml(endpoint.operation, body)}
      <p class="sending">
        <button type="submit">Send</button> <span class="progress" role="status"></span>
      </p>
      <div class="outcome" hidden></div>
    </form>
  </details>`
}

/** Prefills a required parameter; an optional one shows its example as a placeholder. */
function inputHtml(
  id: string,
  { name, in: place, schema, required }: Parameter,
  context: Context,
): Html {
  const example = String(exampleOf(schema, context))
  const words = schema.enum?.map(String)
  const key = `${id}-${name}`
  const label = html`<label for="${key}"
    >${name}${!required && html` <small>optional</small>`}</label
  >`
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

function bodyHtml(operation: Sample['endpoint']['operation'], body: unknown): Html {
  const examples = Object.entries(jsonOf(operation)?.examples ?? {})
  const id = operation.operationId
  const text = JSON.stringify(body, null, 2)
  const choice = html`<select class="choice" aria-label="Example of the body">
    ${examples.map(
      ([name, { value }]) =>
        html`<option value="${JSON.stringify(value, null, 2)}">${name}</option>`,
    )}
  </select>`
  return html`<p>
    <label for="${id}-body">Body</label>${examples.length > 1 && choice}<textarea
      id="${id}-body"
      data-in="body"
      rows="${text.split('\n').length}"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
    >
${text}</textarea>
  </p>`
}
