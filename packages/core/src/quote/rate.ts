import { expectBigint, expectText } from '../wrong-value.ts'

declare const unit: unique symbol

/**
 * BOB per USDT, times 10⁴: `rate(98_007n)` is 9.8007. A type of its own, since 9.80 as `980n`, in the two digits of BOB,
 * would price a hundred times too high.
 */
export type Rate = bigint & { readonly [unit]: 'BOB per USDT, times 10⁴' }

/** `rate(98_007n)` is BOB 9.8007 per USDT. @throws TypeError for anything but a bigint */
export function rate(tenThousandths: bigint): Rate {
  expectBigint('rate', 'ten-thousandths of a BOB', tenThousandths)
  return tenThousandths as Rate
}

const decimal = /^(0|[1-9]\d{0,5})(?:\.(\d+))?$/

/**
 * Parses a rate from a decimal string and truncates it to four fraction digits: a bid is never rounded up.
 *
 * @returns undefined when the text is not such a number
 * @throws TypeError for anything but a text
 * @example
 * ```ts
 * console.log(parseRate('9.80079')) // 98007n
 * ```
 */
export function parseRate(text: string): Rate | undefined {
  expectText('parseRate', text)
  const [, whole, fraction = ''] = decimal.exec(text) ?? []
  return whole === undefined ? undefined : rate(BigInt(whole + fraction.slice(0, 4).padEnd(4, '0')))
}

/** `"9.8007"`: always four fraction digits. @source spec §2 Formats */
export function formatRate(value: Rate): string {
  expectBigint('formatRate', 'ten-thousandths of a BOB', value)
  const digits = value.toString().padStart(5, '0')
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`
}
