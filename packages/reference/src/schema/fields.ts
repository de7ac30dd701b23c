import type { Context } from '../document/context.ts'
import { type Html, html } from '../html/html.ts'
import { choicesOf, isNullable, limitsOf, type TypeWord, typeWords } from './limits.ts'
import type { Texts } from '../text/texts.ts'
import { schemaAnchor } from '../document/links.ts'
import { referred, resolved, type Schema } from '../document/open-api.ts'
import { coded, inline } from '../html/prose.ts'

type Field = {
  readonly name: string
  readonly schema: Schema
  readonly isRequired: boolean
  readonly description?: string | undefined
}

/** A list of fields, each with its type, constraints, description and an example. */
export const fieldList = (fields: readonly Field[], context: Context): Html =>
  html`<ul class="fields">
    ${fields.map((field) => fieldItem(field, context))}
  </ul> `

/** The members of an object, or of each alternative of a schema. */
export function membersOf(schema: Schema, context: Context): Html {
  const choices = choicesOf(resolved(schema, context.document))
  if (choices.length > 1) return html`${choices.map((choice, index) => folded(choice, context, index === 0))}`
  const [{ properties = {}, required = [] } = {}] = choices
  const fields = Object.entries(properties).map(([name, member]) => ({
    name,
    schema: member,
    isRequired: required.includes(name),
  }))
  return fields.length === 0 ? html`<p>${context.texts.noMembers}</p>` : fieldList(fields, context)
}

/** The members of a component, folded: the script copies them from the schema section when opened. */
export function folded({ $ref }: Schema, { document }: Context, isOpen = false, title?: string): Html {
  if ($ref === undefined) return html``
  const name = referred($ref)
  if (document.components.schemas[name]?.items) return html``
  const anchor = schemaAnchor(name)
  return html`<details class="members" data-of="${anchor}" ${isOpen && html` open`}>
    <summary>${title ?? name}</summary>
    <a href="#${anchor}">${name}</a>
  </details> `
}

function fieldItem({ name, schema, isRequired, description }: Field, context: Context): Html {
  const { links, texts } = context
  const said = description === undefined ? descriptionsOf(schema) : [description]
  return html`<li>
    <p>
      <code class="name">${name}</code>
      <span class="type">${typeHtml(typeWords(schema, texts), texts)}${isNullable(schema) && ` ${texts.orNull}`}</span
      >${isRequired && html` <em>${texts.required}</em>`}
    </p>
    ${said.map((text) => html`<p>${inline(text, links)}</p>`)}${limitsHtml(schema, context)}${exampleHtml(schema, context)}${inner(schema, context)}
  </li> `
}

/** The description of a schema or of its alternatives: nullable schemas often have it inside. */
const descriptionsOf = (schema: Schema): string[] => [
  ...new Set([schema, ...choicesOf(schema)].flatMap(({ description }) => description ?? [])),
]

const typeHtml = (words: readonly TypeWord[], texts: Texts): Html =>
  html`${words.map(({ word, schema }, index) => [
    index > 0 && (words[index - 1]?.word === texts.arrayOf ? ' ' : ` ${texts.or} `),
    schema === undefined ? word : schemaLink(schema),
  ])}`

/** A link to the section of a component. */
export const schemaLink = (name: string): Html => html`<a class="type" href="#${schemaAnchor(name)}">${name}</a>`

/** The constraints as text, separated by commas. */
export function limitsHtml(schema: Schema, { document, links, texts }: Context): Html {
  const limits = limitsOf(schema, document, texts).map(({ text, code = [] }) => {
    return html`${text}${code.map((word) => [' ', coded(word, links)])}`
  })
  if (limits.length === 0) return html``
  return html`<p class="limits">${limits.map((limit, index) => [index > 0 && ' · ', limit])}</p>`
}

/** The example of a schema from the examples of the document; none for objects, whose members have examples. */
export function exampleOf(schema: Schema, { values, document }: Context): unknown {
  const [own] = choicesOf(schema).flatMap((choice) => resolved(choice, document).examples ?? [])
  const found = values.get(schema)
  return found ?? schema.examples?.[0] ?? own ?? found // Null if no other example exists.
}

function exampleHtml(schema: Schema, context: Context): Html {
  const example = exampleOf(schema, context)
  if (example === undefined || hasObjects(example) || schema.const !== undefined) return html``
  const text = typeof example === 'string' ? example : JSON.stringify(example)
  return html`<p class="example">${context.texts.eg} <code>${text === '' ? '""' : text}</code></p>`
}

const hasObjects = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(hasObjects) : typeof value === 'object' && value !== null

/** The members of an inline object, or a link to a named schema. */
function inner(schema: Schema, context: Context): Html {
  const nested = choicesOf(schema)
    .flatMap((choice) => choice.items ?? [choice])
    .flatMap(choicesOf)
  const title = nested.length === 1 ? context.texts.members : undefined // The type before it shows the name.
  return html`${nested.map((choice) => {
    if (choice.$ref !== undefined) return folded(choice, context, false, title)
    return choice.properties ? membersOf(choice, context) : html``
  })}`
}
