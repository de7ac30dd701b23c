import fc from 'fast-check'
import { expect, test } from 'vitest'
import { html, toText } from './html.ts'

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }
/** Decodes HTML as a browser does. */
const read = (written: string): string => written.replaceAll(/&\w+;/g, (entity) => entities[entity] ?? entity)

const anyText = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('&amp;', '"<>&', "a='b'"))

test('escapes any text, between tags and in attributes', () => {
  fc.assert(
    fc.property(anyText, anyText, (title, body) => {
      const written = toText(html`<p title="${title}">${body}</p>`)
      const [whole, attribute = '', content = ''] = /^<p title="([^"]*)">([^<>]*)<\/p>$/.exec(written) ?? ['']
      expect(whole).toBe(written)
      expect([read(attribute), read(content)]).toEqual([title, body])
    }),
  )
})

test('keeps HTML, also in lists, and omits missing values', () => {
  const words = ['a', 'b & c'].map((word) => html`<i>${word}</i>`)
  expect(toText(html`<b>${words}${undefined}${false}${3}</b>`)).toBe('<b><i>a</i><i>b &amp; c</i>3</b>')
})
