import { toDecimal, type Usdt } from '@quipu/core'
import type { Language, Text } from './text.ts'

/** `1,000.00`: two fraction digits, and more only if they are not zero. */
export const amountText = (amount: Usdt): string =>
  toDecimal(amount)
    .replace(/(\.\d\d)0+$/, '$1')
    .replaceAll(/\B(?=(\d{3})+\.)/g, ',')

const units = [
  [365 * 86_400, { en: 'years', es: 'años' }],
  [86_400, { en: 'days', es: 'días' }],
  [3_600, { en: 'hours', es: 'horas' }],
  [60, { en: 'minutes', es: 'minutos' }],
] as const
const inSeconds: Text = { en: 'seconds', es: 'segundos' }

/** `60 seconds`, `24 hours`, `7 days`: in the largest unit that gives a whole number of 2 or more. */
export function durationText(seconds: number, language: Language = 'en'): string {
  const unit = units.find(([size]) => seconds % size === 0 && seconds >= 2 * size)
  return unit ? `${seconds / unit[0]} ${unit[1][language]}` : `${seconds} ${inSeconds[language]}`
}
