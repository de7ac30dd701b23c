import { toDecimal, type Usdt } from '@quipu/core'

/** `1,000.00`: two fraction digits, and more only if they are not zero. */
export const amountText = (amount: Usdt): string =>
  toDecimal(amount)
    .replace(/(\.\d\d)0+$/, '$1')
    .replaceAll(/\B(?=(\d{3})+\.)/g, ',')

const units = [
  [365 * 86_400, 'years'],
  [86_400, 'days'],
  [3_600, 'hours'],
  [60, 'minutes'],
] as const

/** `60 seconds`, `24 hours`, `7 days`: in the largest unit that gives a whole number of 2 or more. */
export function durationText(seconds: number): string {
  const unit = units.find(([size]) => seconds % size === 0 && seconds >= 2 * size)
  return unit ? `${seconds / unit[0]} ${unit[1]}` : `${seconds} seconds`
}
