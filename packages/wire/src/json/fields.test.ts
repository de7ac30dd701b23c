import { expect, test } from 'vitest'
import { z } from 'zod'
import { addressOrCidr } from './address.ts'
import { instant, integer, members, oneOf, text, utf8Text, uuid, wordList } from './fields.ts'
import { id, resolutionIdReference, transactionId } from './identifier.ts'
import { positiveBob, usdtOrZero } from './money.ts'
import { parse } from './parsed.ts'

const faultsOf = (schema: z.ZodType, value: unknown): string[] => {
  const parsed = parse(schema, value)
  return parsed.ok ? [] : parsed.issues.map(({ field, message }) => `${field} ${message}`)
}

/** The texts that the schema accepts. */
const accepted = (schema: z.ZodType, texts: readonly string[]): string[] =>
  texts.filter((each) => parse(schema, each).ok)

test('a missing member is required, one that breaks its rule is not called so', () => {
  const rule = 'must be a whole number from 1 to 3'
  const schema = members({ count: integer(1, 3) })
  expect(faultsOf(schema, {})).toEqual([`count is required and ${rule}`])
  for (const count of [null, '2', 0, 4, 1.5]) expect(faultsOf(schema, { count })).toEqual([`count ${rule}`])
  expect(parse(schema, { count: 3 })).toEqual({ ok: true, value: { count: 3 } })
})

test('an unknown member is refused with the names that are allowed', () => {
  expect(faultsOf(members({ a: z.string(), b: z.string() }), { a: '', b: '', c: '' })).toEqual([
    'c is not allowed here; allowed are a, b',
  ])
  expect(faultsOf(members({}, 'in this body'), { c: '' })).toEqual(['c is not allowed in this body'])
  expect(faultsOf(members({}), [])).toEqual(['body must be a JSON object'])
  expect(faultsOf(members({}), undefined)).toEqual(['body is required and must be a JSON object'])
})

test('a text has a number of code points, without NUL or unpaired surrogates', () => {
  expect(accepted(text(1, 3), ['', 'a', '𝄞𝄞𝄞', 'abcd', 'a\0', '\uD800', '\uDFFF'])).toEqual(['a', '𝄞𝄞𝄞'])
  expect(accepted(text(0, 1), ['', 'a', 'ab'])).toEqual(['', 'a'])
  const among = 'characters, without NUL or unpaired surrogates'
  expect(faultsOf(text(0, 1), 'ab')).toEqual([`body must be a string of at most 1 ${among}`])
  expect(faultsOf(text(1, 2), '')).toEqual([`body must be a string of 1 to 2 ${among}`])
})

test('a text of UTF-8 has a number of bytes', () => {
  const texts = ['', 'abcd', 'abcde', 'ññ', 'ñña', '𝄞', 'a\0', '\uD800']
  expect(accepted(utf8Text(4), texts)).toEqual(['abcd', 'ññ', '𝄞'])
  expect(faultsOf(utf8Text(4), 'ñña')).toEqual([
    'body must be a string of 1 to 4 bytes of UTF-8, without NUL or unpaired surrogates',
  ])
})

test('words are listed with commas and an or', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(wordList)).toEqual(['', 'a', 'a or b', 'a, b or c'])
  expect(faultsOf(oneOf(['a', 'b', 'c']), 'd')).toEqual(['body must be a, b or c'])
})

test('an instant, a UUID and a missing one are named by their rules', () => {
  const instantRule = 'must be an ISO 8601 instant with a zone, such as 2026-11-20T15:04:05.000Z'
  const uuidRule = 'must be a UUID: 8-4-4-4-12 hexadecimal digits'
  for (const [schema, rule] of [
    [instant, instantRule],
    [uuid, uuidRule],
  ] as const) {
    for (const value of ['x', 1, null]) expect(faultsOf(schema, value)).toEqual([`body ${rule}`])
    expect(faultsOf(schema, undefined)).toEqual([`body is required and ${rule}`])
  }
})

test('a UUID has 8-4-4-4-12 hexadecimal digits in either case, and nothing around them', () => {
  const id = '0199a3f4-5C00-7000-8000-000000000001'
  const others = [id.slice(1), id.slice(0, -1), id.replace('-5C00', ''), id.replace('5C00', '5C0')]
  const around = [` ${id}`, `${id}\n`, `x${id}`, `${id}0`, id.replace('a', 'g')]
  expect(accepted(uuid, [id, ...others, ...around])).toEqual([id])
})

test('the ids of a request are accepted in whole only', () => {
  expect(faultsOf(id('po'), 'wal_1')).toEqual(['body must be an id that begins with po_'])
  const order = 'Order-2026.01_a:b'
  expect(accepted(transactionId, [order, ` ${order}`, `${order}\n`, `${order}ñ`, ''])).toEqual([order])
  const reference = 'qrr_A-z_0'
  const others = [` ${reference}`, `${reference}\n`, 'qrr_', 'qrr', `qrr_${'a'.repeat(65)}`, 'qrr_ñ']
  expect(accepted(resolutionIdReference, [reference, ...others])).toEqual([reference])
})

test('an address is IPv4 or IPv6, with as many bits as it may have', () => {
  const addresses = [
    '192.0.2.1',
    '192.0.2.0/0',
    '192.0.2.0/9',
    '192.0.2.0/29',
    '192.0.2.0/32',
    '2001:db8::1',
    '2001:db8::/0',
    '2001:db8::/64',
    '2001:db8::/119',
    '2001:db8::/128',
  ]
  expect(accepted(addressOrCidr, addresses)).toEqual(addresses)
  const others = addresses.flatMap((each) => [` ${each}`, `${each}\n`, `x${each}`, `${each}x`])
  const impossible = ['192.0.2.0/33', '192.0.2.0/', '192.0.2.0/-1', '2001:db8::/129', '192.0.2', '']
  expect(accepted(addressOrCidr, [...others, ...impossible])).toEqual([])
  expect(faultsOf(addressOrCidr, 'x')).toEqual(['body must be an IPv4 or IPv6 address, or a CIDR such as 192.0.2.0/24'])
})

test('an amount of a request has at most 12 digits before the point', () => {
  const most = '9'.repeat(12)
  const amounts = ['0.01', '0.1', '0.10', '1', '10.5', `${most}.99`]
  const others = [
    '0',
    '0.0',
    '0.00',
    '00.01',
    '01',
    '1.',
    '.5',
    '-1',
    '1.001',
    '1,5',
    '+1',
    '1e2',
    '0x1',
    'NaN',
    '١',
    '1_000',
    '',
    `${most}9`,
  ]
  const around = amounts.flatMap((each) => [` ${each}`, `${each}\n`, `x${each}`, `${each}x`])
  expect(accepted(positiveBob, [...amounts, ...others, ...around])).toEqual(amounts)
  expect(faultsOf(positiveBob, '0')).toEqual([
    'body must be a decimal string above 0 with at most 12 digits before the point and 2 after it, such as "100.00"',
  ])
  const orZero = ['0', '0.000001', '0.1', '1', `${most}.999999`]
  expect(accepted(usdtOrZero, [...orZero, '00', '01', '1.', '.5', '0.0000001', `${most}9`])).toEqual(orZero)
  expect(
    accepted(
      usdtOrZero,
      orZero.flatMap((each) => [` ${each}`, `${each}\n`, `x${each}`]),
    ),
  ).toEqual([])
  expect(faultsOf(usdtOrZero, '-1')).toEqual([
    'body must be a decimal string of 0 or more with at most 12 digits before the point and 6 after it, such as "0.10"',
  ])
})
