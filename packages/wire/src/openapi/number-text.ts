import { toDecimal, type Usdt } from '@quipu/core'

/** `1,000.00`: without fraction digits that say nothing. */
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

/** `60 seconds`, `24 hours`, `7 days`: the largest unit of which there are two or more, in whole. */
export function durationText(seconds: number): string {
  const unit = units.find(([size]) => seconds % size === 0 && seconds >= 2 * size)
  return unit ? `${seconds / unit[0]} ${unit[1]}` : `${seconds} seconds`
}
