import {
  add as dineroAdd,
  type Dinero,
  dinero,
  subtract as dineroSubtract,
  toSnapshot,
} from 'dinero.js/bigint'

const currencies = {
  USDT: { code: 'USDT', base: 10n, exponent: 6n },
  BOB: { code: 'BOB', base: 10n, exponent: 2n },
} as const

export type Currency = keyof typeof currencies

/** An amount in minor units: 1 USDT is `1_000_000n`, 1 BOB is `100n`. Never a float. */
export type Money<C extends Currency = Currency> = { readonly currency: C; readonly minor: bigint }
export type Usdt = Money<'USDT'>
export type Bob = Money<'BOB'>

/** The largest amount that a ledger row can carry: a signed 64-bit integer of minor units. */
export const MAX_MINOR: bigint = 2n ** 63n - 1n

export const usdt = (minor: bigint): Usdt => ({ currency: 'USDT', minor })
export const bob = (minor: bigint): Bob => ({ currency: 'BOB', minor })

export const addMoney = <C extends Currency>(a: Money<C>, b: Money<NoInfer<C>>): Money<C> =>
  fromDinero(a.currency, dineroAdd(toDinero(a), toDinero(b)))

export const subtractMoney = <C extends Currency>(a: Money<C>, b: Money<NoInfer<C>>): Money<C> =>
  fromDinero(a.currency, dineroSubtract(toDinero(a), toDinero(b)))

/** Negative when `a` is smaller, 0 when equal, positive when `a` is larger. */
export const compareMoney = <C extends Currency>(a: Money<C>, b: Money<NoInfer<C>>): number =>
  a.minor < b.minor ? -1 : a.minor > b.minor ? 1 : 0

/**
 * `"12.500000"` for USDT, `"12.50"` for BOB: every fraction digit of the currency, always.
 *
 * Eight of these are written for each payout, so the digits are cut from the integer's own text.
 */
export function toDecimal({ currency, minor }: Money): string {
  const point = -fractionDigits(currency)
  const digits = (minor < 0n ? -minor : minor).toString().padStart(1 - point, '0')
  return `${minor < 0n ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`
}

/** The number of digits after the point that an amount of this currency may carry. */
export const fractionDigits = (currency: Currency): number => digitsAfterPoint[currency]

const digitsAfterPoint: Readonly<Record<Currency, number>> = {
  USDT: Number(currencies.USDT.exponent),
  BOB: Number(currencies.BOB.exponent),
}

const decimal = /^(0|[1-9]\d{0,11})(?:\.(\d+))?$/

/**
 * Reads a decimal string exactly.
 *
 * At most 12 digits before the point and the currency's own number after it; no sign, exponent,
 * blank or leading zero. Zero is read; whether it is allowed is the caller's rule.
 *
 * @returns undefined when the text is not such a number
 * @source assumed: the specification only says "decimal string"
 */
export function parseMoney<C extends Currency>(currency: C, text: string): Money<C> | undefined {
  const [, whole, fraction = ''] = decimal.exec(text) ?? []
  const digits = fractionDigits(currency)
  if (whole === undefined || fraction.length > digits) return undefined
  return { currency, minor: BigInt(whole + fraction.padEnd(digits, '0')) }
}

const toDinero = ({ currency, minor }: Money): Dinero<bigint, Currency> =>
  dinero({ amount: minor, currency: currencies[currency] })

const fromDinero = <C extends Currency>(
  currency: C,
  value: Dinero<bigint, Currency>,
): Money<C> => ({
  currency,
  minor: toSnapshot(value).amount,
})
