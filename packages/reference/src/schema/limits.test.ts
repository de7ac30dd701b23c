import { expect, test } from 'vitest'
import { limitsOf, typeWords } from './limits.ts'
import { pageTexts } from '../text/texts.ts'
import type { OpenApi, Schema } from '../document/open-api.ts'

const texts = pageTexts('en')
const document = { components: { schemas: {} } } as unknown as OpenApi

test.each<[Schema, string]>([
  [{ type: 'string', minLength: 1, maxLength: 100 }, '1 to 100 characters'],
  [{ type: 'string', minLength: 0, maxLength: 200 }, 'at most 200 characters'],
  [{ type: 'string', minLength: 2, maxLength: 2 }, '2 characters'],
  [{ type: 'array', minItems: 1 }, '1 or more items'],
  [{ type: 'integer', minimum: 1, maximum: 100, default: 50 }, '1 to 100, default 50'],
  [{ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, '0 or more'],
  [{ enum: ['a', 'b'] }, 'one of a b'],
  [{ const: 'qr' }, 'always qr'],
  [{ type: 'string', format: 'uuid', pattern: '^[0-9a-f]{36}$' }, 'uuid'],
  [{ type: 'string', pattern: '^po_[0-9]{26}$' }, 'matches ^po_[0-9]{26}$'],
  [{ type: 'string', pattern: '^[a-z_]{1,9}$' }, '1 to 9 characters, of [a-z_]'],
  [{ pattern: '^[a-z]{1,9}$', minLength: 1, maxLength: 9 }, '1 to 9 characters, of [a-z]'],
  [{ pattern: String.raw`^[^\x00]*$`, minLength: 1, maxLength: 500 }, '1 to 500 characters'],
  [{ pattern: String.raw`^(?:0|[1-9][0-9]*)\.[0-9]{6}$` }, '6 fraction digits'],
  [{ pattern: `^(?:${'a|'.repeat(40)}b)$` }, ''],
])('describes %j as: %s', (schema, text) => {
  const words = limitsOf(schema, document, texts).map(({ text, code = [] }) => [text, ...code].join(' '))
  expect(words.join(', ')).toBe(text)
})

test('describes an open list of codes as incomplete', () => {
  const open: Schema = { type: 'string', 'x-extensible-enum': ['A'] }
  expect(limitsOf(open, document, texts)).toEqual([{ text: 'so far', code: ['A'] }])
})

test('names a type, the items of an array, and omits null', () => {
  const text = (schema: Schema): string =>
    typeWords(schema, texts)
      .map(({ word }) => word)
      .join(' ')
  expect(text({ type: 'array', items: { $ref: '#/components/schemas/Payout' } })).toBe('array of Payout')
  expect(text({ anyOf: [{ type: 'string' }, { type: 'null' }] })).toBe('string')
})
