import { usageError } from '../exit.ts'

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/**
 * The instant that a text names, as the API takes it: `2026-11-28`, `today` and `yesterday` are days in UTC, `now`, and
 * `-90m` is that long ago. Other texts stay.
 *
 * @param isEnd  of a period: a day is its last millisecond
 * @throws CommandError when it is a day that does not exist
 */
export function instantOf(text: string, flag: string, isEnd: boolean, now: Date): string {
  const ago = /^-([0-9]{1,6})([smhdw])$/.exec(text)
  if (ago) return new Date(now.getTime() - Number(ago[1]) * (unitMs[ago[2] ?? ''] ?? 0)).toISOString()
  if (text === 'now') return now.toISOString()
  const days = { today: 0, yesterday: 1 }[text]
  const day = days === undefined ? text : new Date(now.getTime() - days * 86_400_000).toISOString().slice(0, 10)
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(day)) return text
  const at = new Date(`${day}T${isEnd ? '23:59:59.999' : '00:00:00.000'}Z`)
  if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== day)
    throw usageError(`--${flag}: ${day} is no day.`)
  return at.toISOString()
}
