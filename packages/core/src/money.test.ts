import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addMoney, bob, compareMoney, MAX_MINOR, parseMoney, subtractMoney, toDecimal, usdt } from './money.ts'

const minor = fc.bigInt({ min: 0n, max: MAX_MINOR })

describe('spec §2 formats', () => {
  test('USDT always has six fraction digits and BOB two', () => {
    expect(toDecimal(usdt(12_500_000n))).toBe('12.500000')
    expect(toDecimal(usdt(1n))).toBe('0.000001')
    expect(toDecimal(usdt(0n))).toBe('0.000000')
    expect(toDecimal(bob(12_50n))).toBe('12.50')
    expect(toDecimal(bob(5n))).toBe('0.05')
    expect(toDecimal(usdt(MAX_MINOR))).toBe('9223372036854.775807')
    expect(toDecimal(usdt(-1n))).toBe('-0.000001')
    expect(toDecimal(bob(-12_345n))).toBe('-123.45')
  })
})

test('a formatted amount has all its digits', () => {
  fc.assert(
    fc.property(minor, (value) => {
      expect(toDecimal(usdt(value))).toMatch(/^(0|[1-9]\d*)\.\d{6}$/)
      expect(BigInt(toDecimal(usdt(value)).replace('.', ''))).toBe(value)
      expect(toDecimal(bob(value))).toMatch(/^(0|[1-9]\d*)\.\d{2}$/)
      expect(BigInt(toDecimal(bob(value)).replace('.', ''))).toBe(value)
    }),
  )
})

describe('parsing decimal strings', () => {
  test.each([
    ['0.5', 500_000n],
    ['1', 1_000_000n],
    ['0.000001', 1n],
    ['999999999999.999999', 999_999_999_999_999_999n],
    ['0', 0n],
  ])('%s is exactly %s micro-USDT', (text, value) => {
    expect(parseMoney('USDT', text)).toEqual(usdt(value))
  })

  test.each([
    '05',
    '.5',
    '1.',
    '-1',
    '+1',
    '1e3',
    ' 1',
    '1 ',
    '',
    '1,5',
    '0x1',
    '1.0000001',
    '1234567890123',
    '٣',
    'NaN',
    '1\n',
  ])('%j is not an amount of USDT', (text) => {
    expect(parseMoney('USDT', text)).toBeUndefined()
  })

  test('BOB accepts at most two fraction digits', () => {
    expect(parseMoney('BOB', '0.01')).toEqual(bob(1n))
    expect(parseMoney('BOB', '0.010')).toBeUndefined()
  })

  test('parsing a formatted amount restores it exactly', () => {
    const readable = fc.bigInt({ min: 0n, max: 10n ** 18n - 1n })
    fc.assert(
      fc.property(readable, (value) => {
        expect(parseMoney('USDT', toDecimal(usdt(value)))).toEqual(usdt(value))
      }),
    )
  })
})

test('addition and subtraction are exact and inverse', () => {
  fc.assert(
    fc.property(minor, minor, (a, b) => {
      expect(addMoney(usdt(a), usdt(b)).minor).toBe(a + b)
      expect(subtractMoney(addMoney(usdt(a), usdt(b)), usdt(b))).toEqual(usdt(a))
    }),
  )
})

test('comparison orders amounts by their minor units', () => {
  fc.assert(
    fc.property(minor, minor, (a, b) => {
      expect(Math.sign(compareMoney(bob(a), bob(b)))).toBe(a < b ? -1 : a > b ? 1 : 0)
    }),
  )
})

test('amounts of two currencies cannot be combined', () => {
  // @ts-expect-error BOB is not USDT
  expect(() => addMoney(usdt(1n), bob(1n))).toThrow()
  // @ts-expect-error nor is one more or less than the other
  expect(() => compareMoney(usdt(1n), bob(1n))).toThrow('USDT and BOB')
})
