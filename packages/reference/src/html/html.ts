const brand: unique symbol = Symbol('html')

/** Text that is HTML. Only `html` and `trusted` create it. */
export type Html = { readonly [brand]: string }

type Part = Html | string | number | false | undefined | readonly Part[]

/**
 * Makes HTML from a template. Values are escaped unless they are HTML.
 *
 * Attribute values must be in double quotes. The template’s indentation is reduced to a line break.
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

/** Marks text from a trusted source as HTML. */
export const trusted = (text: string): Html => ({ [brand]: text })

/** The text of HTML, to be sent. */
export const toText = (page: Html): string => page[brand]

type Escape = (text: string) => string

function textOf(part: Part, escape: Escape): string {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escape(String(part))
  return brand in part ? part[brand] : part.map((inner) => textOf(inner, escape)).join('')
}

const inAttribute = /="[^"]*$/

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const entity = (character: string): string => entities[character] ?? ''

const attribute: Escape = (text) => text.replaceAll(/[&<>"]/g, entity)
const content: Escape = (text) => text.replaceAll(/[&<>]/g, entity)
