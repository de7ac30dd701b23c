const brand: unique symbol = Symbol('html')

/** Text that is HTML already. Only `html` and `trusted` make it. */
export type Html = { readonly [brand]: string }

type Part = Html | string | number | false | undefined | readonly Part[]

/**
 * HTML out of a template: what is put in is escaped, unless it is HTML itself.
 *
 * Values of attributes stand in double quotes. Of the template’s own indentation a line break stays.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let written = ''
  let text = ''
  for (const [index, literal] of strings.entries()) {
    const own = literal.replaceAll(/\s*\n\s*/g, '\n')
    written += own
    text += own + textOf(parts[index], inAttribute.test(written) ? attribute : content)
  }
  return trusted(text)
}

/** HTML that was not written here, and is known to be no one else’s words. */
export const trusted = (text: string): Html => ({ [brand]: text })

/** The text of it, to be sent. */
export const toText = (page: Html): string => page[brand]

type Escape = (text: string) => string

function textOf(part: Part, escape: Escape): string {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escape(String(part))
  return brand in part ? part[brand] : part.map((inner) => textOf(inner, escape)).join('')
}

const inAttribute = /="[^"]*$/

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}
const entity = (character: string): string => entities[character] ?? ''

const attribute: Escape = (text) => text.replaceAll(/[&<>"]/g, entity)
const content: Escape = (text) => text.replaceAll(/[&<>]/g, entity)
