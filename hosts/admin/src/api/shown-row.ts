import { isObject } from '@quipu/client/terminal'
import { ageColumn } from './columns.ts'

type Row = Readonly<Record<string, unknown>>

const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const

/** `3 h`: how long ago this was, rounded down. */
export function ageOf(instant: unknown, now: number): string | null {
  const at = typeof instant === 'string' ? Date.parse(instant) : Number.NaN
  if (Number.isNaN(at)) return null
  const seconds = Math.max(0, Math.floor((now - at) / 1000))
  const [name, size] = units.find((unit) => seconds >= unit[1]) ?? ['s', 1]
  return `${Math.floor(seconds / size)} ${name}`
}

/** `ten_01KAGZ8M88000000000000000A` → `ten_…0000000A` */
const shortId = (value: unknown): unknown =>
  typeof value === 'string' && /^[a-z]{2,5}_[0-9A-Z]{26}$/.test(value)
    ? `${value.slice(0, value.indexOf('_') + 1)}…${value.slice(-8)}`
    : value

/** A row for a terminal: with its age, and ids of other records shortened. `--json` has them whole. */
export const shownRow = (row: Row, now: number): Row => ({
  ...Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      name.endsWith('_id') && !isObject(value) ? shortId(value) : value,
    ]),
  ),
  [ageColumn]: ageOf(row['created_at'], now),
})
