import fc from 'fast-check'
import { expect, test } from 'vitest'
import { repeatedMembers } from './repeated-members.ts'

const repeatedIn = (text: string): readonly string[] => repeatedMembers(text, JSON.parse(text))

test('the encoding of a JSON value has no repeated member', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom('', ' ', '\n\t'), (value, space) => {
      expect(repeatedIn(JSON.stringify(value, null, space))).toEqual([])
    }),
  )
})

test('a repeated member is found at any depth and with any name', () => {
  const place = fc.array(fc.oneof(fc.string(), fc.nat({ max: 3 })), { maxLength: 6 })
  fc.assert(
    fc.property(place, fc.string({ unit: 'binary' }), fc.jsonValue(), (path, name, value) => {
      const member = `${JSON.stringify(name)}:${JSON.stringify(value)}`
      const inner = `{${member}, ${JSON.stringify(`other ${name}`)} : 1 ,${member}}`
      const text = path.reduceRight<string>(
        (json, at) =>
          typeof at === 'string'
            ? `{"before":{},${JSON.stringify(`at ${at}`)}:${json}}`
            : `[${'{"x":[1]},'.repeat(at)}${json}]`,
        inner,
      )
      const expected = [...path.map((at) => (typeof at === 'string' ? `at ${at}` : at)), name]
      expect(repeatedIn(text)).toEqual([expected.map((at) => (at === '' ? '""' : at)).join('.')])
    }),
  )
})

test('at most ten members are reported, each once', () => {
  const members = Array.from({ length: 30 }, (_, n) => `"m${n % 15}":${n}`)
  expect(repeatedIn(`{${members.join()}}`)).toEqual(Array.from({ length: 10 }, (_, n) => `m${n}`))
  expect(repeatedIn('{"a":1,"a":2,"a":3}')).toEqual(['a'])
})

test('a body nested 30,000 levels deep is counted and searched', () => {
  const nested = (inner: string): string => `${'{"a":'.repeat(10_000)}${inner}${'}'.repeat(10_000)}`
  expect(repeatedIn(`${'['.repeat(30_000)}${']'.repeat(30_000)}`)).toEqual([])
  expect(repeatedIn(nested('{}'))).toEqual([])
  expect(repeatedIn(nested('{"b":1,"b":2}'))[0]).toMatch(/^a\.a\..*\.b$/)
})
