import type { Context } from '../document/context.ts'
import { codeOf, isCommon, meaningOf } from '../document/errors.ts'
import { fieldList, folded, membersOf } from '../schema/fields.ts'
import { type Html, html } from '../html/html.ts'
import { jsonHtml } from '../html/json.ts'
import { type Examples, headerOf, type Operation, type Response } from '../document/open-api.ts'
import { coded, inline, paragraphs } from '../html/prose.ts'

const isErrorStatus = (status: string): boolean => Number(status) >= 400

const mediaOf = ({ content = {} }: Response) => Object.entries(content)

/** The answers of an operation by status: successes, then errors. */
export function answersHtml({ responses }: Operation, context: Context): Html {
  const all = Object.entries(responses)
  const good = all.filter(([status]) => !isErrorStatus(status))
  const errors = all
    .filter(([status]) => isErrorStatus(status))
    .flatMap(([status, response]) => {
      const examples = Object.entries(responseExamples(response))
      return examples.map(([name, { value }]) => ({ status, name, value, response }))
    })
  const [own, common] = partition(errors, ({ value }) => isOwn(value, context))
  return html`<h4>${context.texts.answers}</h4>
    ${good.map(([status, response]) => answerHtml(status, response, context))}${
      errors.length > 0 && html`<h4>${context.texts.errors}</h4> `
    }${own.map(({ status, name, value, response }) => errorHtml(status, name, value, response, context))}${commonHtml(
      common.map(({ status, name }) => ({ status, name })),
      context,
    )}`
}

const partition = <T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] => [
  items.filter(isFirst),
  items.filter((item) => !isFirst(item)),
]

/** Whether an error is specific to this operation: few others have it, or its example differs. */
function isOwn(value: unknown, { errors }: Context): boolean {
  const error = errors.get(codeOf(value) ?? '')
  return error === undefined || !isCommon(error) || !isSame(error.example, value)
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

function answerHtml(status: string, response: Response, context: Context): Html {
  const bodies = mediaOf(response).map(([, { schema }]) =>
    schema.$ref === undefined ? membersOf(schema, context) : folded(schema, context),
  )
  return html`<div class="answer">
    <p class="status"><code>${status}</code></p>
    <div>${paragraphs(response.description, context.links)}${headersHtml(response, context)}${bodies}</div>
  </div> `
}

function errorHtml(status: string, name: string, value: unknown, response: Response, context: Context): Html {
  const code = codeOf(value)
  const known = context.errors.get(code ?? '')
  // A body without an error code, such as that of a service that is not ready.
  if (code === undefined) return answerHtml(status, response, context)
  return html`<div class="answer">
    <p class="status"><code>${status}</code></p>
    <div>
      <p>${coded(name, context.links)} ${inline(meaningOf(code, response), context.links)}</p>
      ${known && !isSame(known.example, value) && examplesHtml({ example: { value } })}
    </div>
  </div> `
}

/** Errors that most operations have: only their names, linked to the list of errors. */
function commonHtml(common: readonly { status: string; name: string }[], { links, texts }: Context): Html {
  if (common.length === 0) return html``
  const names = common.map(({ status, name }, index) => html`${index > 0 && ', '}${status} ${coded(name, links)}`)
  return html`<p class="common">${texts.common}: ${names}.</p> `
}

const responseExamples = (response: Response): Examples =>
  Object.assign({}, ...mediaOf(response).map(([, { examples }]) => examples ?? {})) as Examples

/** The headers of an answer, without X-Request-Id, which every answer has. */
export function headersHtml({ headers = {} }: Response, context: Context): Html {
  const fields = Object.entries(headers)
    .filter(([name]) => name !== 'X-Request-Id')
    .map(([name, header]) => {
      const { schema = {}, description, required = false } = headerOf(header, context.document)
      return { name, schema, description, isRequired: required }
    })
  return fields.length === 0 ? html`` : fieldList(fields, context)
}

/** The examples of successful answers, the first one open. */
export const goodExamples = ({ responses }: Operation): Html =>
  html`${Object.entries(responses).map(([status, response]) =>
    isErrorStatus(status) && codeOf(Object.values(responseExamples(response))[0]?.value) !== undefined
      ? html``
      : html`<div data-status="${status}">${examplesHtml(responseExamples(response), status)}</div>`,
  )}`

/** Examples by name, the first one open. */
export const examplesHtml = (examples: Examples, title = ''): Html =>
  html`${Object.entries(examples).map(
    ([name, { value }], index) =>
      html`<details class="example-of" ${index === 0 && title !== '' && html` open`}>
        <summary>${title !== '' && html`<b>${title}</b> `}${name}</summary>
        <pre tabindex="0">${jsonHtml(value)}</pre>
      </details> `,
  )}`
