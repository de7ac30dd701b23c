import { all } from './elements.ts'
import { filled, texts } from './texts.ts'

/** A part of the page that a search can find. */
export type Entry = {
  readonly anchor: string
  readonly title: string
  /** The name, such as `POST /v1/quotes`. */
  readonly kind: string
  readonly text: string
  /** The words of title and kind, and those of the text, as the search compares them. */
  readonly head: string
  readonly body: string
}

/** Lower case without accents, with the words of `QUOTE_EXPIRED` and `quote.amount` apart. */
export const normalised = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[_\-.\s]+/g, ' ')

/** Spanish words for parts of the page that are in English. */
const spanish: Readonly<Record<string, string>> = {
  clave: 'key',
  cotizacion: 'quote',
  deposito: 'deposit',
  empresa: 'tenant',
  estado: 'status',
  evento: 'event',
  extracto: 'statement',
  firma: 'signature',
  idempotencia: 'idempotency',
  monto: 'amount',
  pago: 'payout',
  reintento: 'retries',
  saldo: 'balance',
}

/** The spellings of each word of a query, one of which a text must have. A Spanish plural is the same word. */
export const queryWords = (query: string): readonly (readonly string[])[] =>
  normalised(query)
    .trim()
    .split(' ')
    .map((word) => {
      const english = spanish[word] ?? spanish[word.replace(/e?s$/, '')]
      return english === undefined ? [word] : [word, english]
    })

const textOf = (found: Element | null | undefined): string => (found?.textContent ?? '').replaceAll(/\s+/g, ' ').trim()

/** The texts of elements, apart from each other. */
const textsOf = (selector: string, within: HTMLElement): string =>
  all(selector, HTMLElement, within).map(textOf).join(' ')

const entry = (anchor: string, title: string, kind: string, text: string): Entry => ({
  anchor,
  title,
  kind,
  text,
  head: normalised(`${title} ${kind}`),
  body: normalised(text),
})

/** Everything on the page: sections, members, codes and guides. */
export function searchIndex(): Entry[] {
  return [
    ...all('main > section:not(.guide)', HTMLElement).map((section) =>
      entry(
        section.id,
        textOf(section.querySelector('h1, h2, h3')),
        textOf(section.querySelector('.address')) || kindOf(section),
        // Without the code of a request.
        textsOf('.said', section) || textOf(section),
      ),
    ),
    ...all('.errors > li', HTMLLIElement).map((item) =>
      entry(item.id, textOf(item.querySelector('.name')), texts.code, textOf(item)),
    ),
    ...all('.schema > .fields > li', HTMLLIElement).map((item) => {
      const schema = item.closest('section')
      const kind = filled(texts.memberOf, textOf(schema?.querySelector('h3')))
      const text = textsOf(':scope > :not(:has(> .name))', item)
      return entry(schema?.id ?? '', textOf(item.querySelector('.name')), kind, text)
    }),
    ...all('main > section.guide', HTMLElement).flatMap(guideEntries),
  ]
}

const kindOf = (section: HTMLElement): string => {
  if (section.classList.contains('schema')) return texts.schema
  return section.classList.contains('event') ? texts.event : texts.section
}

/** One for the beginning of a guide and one for each of its headings. */
function guideEntries(guide: HTMLElement): Entry[] {
  const kind = filled(texts.guide, textOf(guide.querySelector('h2')))
  const found: { anchor: string; title: string; text: string }[] = []
  for (const child of guide.children) {
    const isHeading = /^H[2-6]$/.test(child.tagName)
    const last = found.at(-1)
    if (isHeading) {
      const anchor = child.tagName === 'H2' ? guide.id : child.id
      found.push({ anchor, title: textOf(child), text: '' })
    } else if (last) last.text += ` ${textOf(child)}`
  }
  return found.map(({ anchor, title, text }) => entry(anchor, title, kind, text.trim()))
}
