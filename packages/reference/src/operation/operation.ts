import { answersHtml, goodExamples } from './answers.ts'
import type { Context } from '../document/context.ts'
import { documentCredential } from '../document/credential.ts'
import { fieldList, limitsHtml, membersOf, schemaLink } from '../schema/fields.ts'
import { type Html, html } from '../html/html.ts'
import { type Endpoint, type Parameter, referred, resolved } from '../document/open-api.ts'
import { inline, paragraphs } from '../html/prose.ts'
import { samplePanel } from './sample-panel.ts'
import { accessOf, jsonOf, sampleOf } from './sample.ts'
import { tryPanel } from './try-form.ts'

/** An operation with its input and answers; beside it a form that sends a request, and its code. */
export function operationHtml(endpoint: Endpoint, context: Context): Html {
  const { method, path, operation } = endpoint
  const { texts } = context
  const { operationId: anchor, summary, description, parameters = [] } = operation
  return html`<section class="operation request" id="${anchor}" aria-labelledby="${anchor}-title">
    <h3 id="${anchor}-title"><a href="#${anchor}">${summary}</a></h3>
    <p class="address">${methodHtml(method)} <code>${path}</code></p>
    ${tryPanel(endpoint, context)}
    <div class="said">
      ${description !== undefined && paragraphs(description, context.links)}${accessHtml(endpoint, context)}
      ${parametersHtml('path', texts.inPath, parameters, context)}${parametersHtml('query', texts.inQuery, parameters, context)}${parametersHtml('header', texts.headers, parameters, context)}
      ${bodyHtml(endpoint, context)}${answersHtml(operation, context)}
    </div>
    <div class="shown">
      ${samplePanel(sampleOf(endpoint, context), context)}
      <div class="panel examples">
        <p class="bar"><span>${texts.answers}</span></p>
        ${goodExamples(operation)}
      </div>
    </div>
  </section> `
}

export const methodHtml = (method: string): Html => html`<span class="method ${method.toLowerCase()}">${method}</span>`

function accessHtml({ operation }: Endpoint, { document, links, texts }: Context): Html {
  const access = accessOf(operation)
  if (!access) return html`<p class="access">${texts.noneNeeded.replace('{}', credentialName(document, texts))}</p>`
  if (access.scopes.length === 0) return html``
  const scopes = access.scopes.map((scope) => `\`${scope}\``).join(', ')
  return html`<p class="access">${texts.scope}: ${inline(scopes, links)}</p>`
}

const credentialName = (document: Context['document'], texts: Context['texts']): string =>
  documentCredential(document)?.label === 'Token' ? 'token' : texts.key.toLowerCase()

function parametersHtml(place: string, title: string, parameters: readonly Parameter[], context: Context): Html {
  const fields = parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, schema, required = false, description }) => ({ name, schema, description, isRequired: required }))
  return fields.length === 0
    ? html``
    : html`<h4>${title}</h4>
        ${fieldList(fields, context)}`
}

function bodyHtml({ operation }: Endpoint, context: Context): Html {
  const json = jsonOf(operation)
  if (!json) return html``
  const schema = resolved(json.schema, context.document)
  const isOptional = operation.requestBody?.required !== true
  return html`<h4>
      ${context.texts.body}${json.schema.$ref !== undefined && html` ${schemaLink(referred(json.schema.$ref))}`}${isOptional && html` <small>${context.texts.optional}</small>`}
    </h4>
    ${schema.description !== undefined && paragraphs(schema.description, context.links)}${limitsHtml(schema, context)}${membersOf(schema, context)}`
}
