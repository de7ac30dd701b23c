import { add as dineroAdd, type Dinero, dinero, subtract as dineroSubtract, toSnapshot } from 'dinero.js/bigint'
import type { SettingsShape } from './check-settings.ts'
import { expectBigint, expectText } from './wrong-value.ts'

const currencies = {
  USDT: { code: 'USDT', base: 10n, exponent: 6n },
  BOB: { code: 'BOB', base: 10n, exponent: 2n },
} as const

/** `USDT` has six fraction digits, `BOB` two. */
export type Currency = keyof typeof currencies

/** An amount in minor units: 1 USDT is `1_000_000n`, 1 BOB is `100n`. Never a float. */
export type Money<C extends Currency = Currency> = { readonly currency: C; readonly minor: bigint }
/** Micro-USDT: 1 USDT is `1_000_000n`. */
export type Usdt = Money<'USDT'>
/** Centavos: 1 BOB is `100n`. */
export type Bob = Money<'BOB'>

/** The largest amount that a ledger row can carry: a signed 64-bit integer of minor units. */
export const MAX_MINOR: bigint = 2n ** 63n - 1n

/** The required members of an amount of this currency. */
export const usdtShape: SettingsShape<Usdt> = { currency: ['USDT'], minor: 'bigint' }
/** The same of BOB. */
export const bobShape: SettingsShape<Bob> = { currency: ['BOB'], minor: 'bigint' }

/** Requires an amount above zero: another one would move money the other way. @throws TypeError */
export function expectPositive(operation: string, { currency, minor }: Money): void {
  expectBigint(operation, `minor units of ${currency}`, minor)
  if (minor <= 0n)
    throw new TypeError(`${operation}: expected an amount above 0, got ${minor} minor units of ${currency}`)
}

/** `usdt(1_000_000n)` is 1 USDT. @throws TypeError for anything but a bigint */
export function usdt(minor: bigint): Usdt {
  expectBigint('usdt', 'micro-USDT', minor)
  return { currency: 'USDT', minor }
}

/** `bob(100n)` is 1 BOB. @throws TypeError for anything but a bigint */
export function bob(minor: bigint): Bob {
  expectBigint('bob', 'centavos', minor)
  return { currency: 'BOB', minor }
}

/** `a + b`, of one currency. @throws TypeError for two currencies */
export function addMoney<C extends Currency>(a: Money<C>, b: Money<NoInfer<C>>): Money<C> {
  expectOneCurrency('addMoney', a, b)
  return fromDinero(a.currency, dineroAdd(toDinero(a), toDinero(b)))
}

/** `a − b`, of one currency; may be negative. @throws TypeError for two currencies */
export function subtractMoney<C extends Currency>(a: Money<C>, b: Money<NoInfer<C>>): Money<C> {
  expectOneCurrency('subtractMoney', a, b)
  return fromDinero(a.currency, dineroSubtract(toDinero(a), toDinero(b)))
}

/** Negative when `a` is smaller, 0 when equal, positive when `a` is larger. @throws TypeError for two currencies */
export function compareMoney<C extends Currency>(a: Money<C>, b: Money<NoInfer<C>>): number {
  expectOneCurrency('compareMoney', a, b)
  return a.minor < b.minor ? -1 : a.minor > b.minor ? 1 : 0
}

function expectOneCurrency(operation: string, a: Money, b: Money): void {
  if (a.currency !== b.currency)
    throw new TypeError(`${operation}: expected two amounts of one currency, got ${a.currency} and ${b.currency}`)
}

/**
 * `"12.500000"` for USDT, `"12.50"` for BOB: always every fraction digit of the currency.
 *
 * @example
 * ```ts
 * console.log(toDecimal(usdt(12_500_000n)), toDecimal(bob(12_50n))) // 12.500000 12.50
 * ```
 */
export function toDecimal({ currency, minor }: Money): string {
  // Called eight times for a payout: slicing the integer's digits is faster than dinero.js.
  const point = -fractionDigits(currency)
  const digits = (minor < 0n ? -minor : minor).toString().padStart(1 - point, '0')
  return `${minor < 0n ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`
}

/** The number of digits after the point that an amount of this currency may carry. */
const fractionDigits = (currency: Currency): number => digitsAfterPoint[currency]

const digitsAfterPoint: Readonly<Record<Currency, number>> = {
  USDT: Number(currencies.USDT.exponent),
  BOB: Number(currencies.BOB.exponent),
}

const decimal = /^(0|[1-9]\d{0,11})(?:\.(\d+))?$/

/**
 * Parses a decimal string exactly.
 *
 * At most 12 digits before the point and the currency's fraction digits after it; no sign, exponent,
 * blank or leading zero. Zero is valid; the caller decides whether to allow it.
 *
 * @returns undefined when the text is not such a number
 * @throws TypeError for anything but a text
 * The specification only says "decimal string"
 * @example
 * ```ts
 * console.log(parseMoney('USDT', '12.5')?.minor, parseMoney('BOB', '1e3')) // 12500000n undefined
 * ```
 */
export function parseMoney<C extends Currency>(currency: C, text: string): Money<C> | undefined {
  expectText('parseMoney', text)
  const [, whole, fraction = ''] = decimal.exec(text) ?? []
  const digits = fractionDigits(currency)
  if (whole === undefined || fraction.length > digits) return undefined
  return { currency, minor: BigInt(whole + fraction.padEnd(digits, '0')) }
}

const toDinero = ({ currency, minor }: Money): Dinero<bigint, Currency> =>
  dinero({ amount: minor, currency: currencies[currency] })

const fromDinero = <C extends Currency>(currency: C, value: Dinero<bigint, Currency>): Money<C> => ({
  currency,
  minor: toSnapshot(value).amount,
})
