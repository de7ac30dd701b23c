import { expectBigint, expectText } from '../wrong-value.ts'

/** BOB per USDT, times 10⁴: `98_007n` is 9.8007. */
export type Rate = bigint

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
  return whole === undefined ? undefined : BigInt(whole + fraction.slice(0, 4).padEnd(4, '0'))
}

/** `"9.8007"`: always four fraction digits. @source spec §2 Formats */
export function formatRate(rate: Rate): string {
  expectBigint('formatRate', 'ten-thousandths of a BOB', rate)
  const digits = rate.toString().padStart(5, '0')
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`
}
