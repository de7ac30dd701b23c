import { examplesHtml } from './answers.ts'
import type { Context } from '../document/context.ts'
import { limitsHtml, membersOf } from '../schema/fields.ts'
import { type Html, html } from '../html/html.ts'
import { schemaAnchor } from '../document/links.ts'
import { paragraphs } from '../html/prose.ts'

/** Every named schema. */
export const schemasHtml = (context: Context): Html =>
  html`<section class="group" id="schemas">
      <h2><a href="#schemas">${context.texts.schemas}</a></h2>
    </section>
    ${Object.entries(context.document.components.schemas).map(([name, schema]) => {
      const anchor = schemaAnchor(name)
      const examples = Object.fromEntries(
        (schema.examples ?? []).map((value, index) => [
          context.texts.example.replace('{}', String(index + 1)),
          { value },
        ]),
      )
      return html`<section class="schema" id="${anchor}" aria-labelledby="${anchor}-title">
        <h3 id="${anchor}-title"><a href="#${anchor}">${name}</a></h3>
        ${schema.description !== undefined && paragraphs(schema.description, context.links)}${limitsHtml(schema, context)}${membersOf(schema, context)}${examplesHtml(examples)}
      </section> `
    })}`
