/** Bolivia is four hours behind UTC, all year. */
const offsetMs = 4 * 3_600_000
const dayMs = 86_400_000

/** The Bolivian date of an instant: `2026-11-20`. */
export const dateOf = (at: Date): string => new Date(at.getTime() - offsetMs).toISOString().slice(0, 10)

/** The Bolivian dates from one to another, both included. */
export function datesBetween(first: string, last: string): readonly string[] {
  const dates: string[] = []
  for (let at = Date.parse(first); at <= Date.parse(last); at += dayMs)
    dates.push(new Date(at).toISOString().slice(0, 10))
  return dates
}

/** The first instant of a Bolivian date. */
const startOf = (date: string): Date => new Date(Date.parse(date) + offsetMs)

/** The end of a date written `2026-11-20` or `20261120`; null for another text. */
export function endOfDate(text: string | undefined): Date | null {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(text ?? '') ?? []
  const date = `${year}-${month}-${day}`
  const start = startOf(date)
  return year !== undefined && !Number.isNaN(start.getTime()) && dateOf(start) === date
    ? new Date(start.getTime() + dayMs)
    : null
}

/** The instant of a Bolivian time without an offset, such as `2026-11-20T14:05:09.320`; undefined for another text. */
export function instantOf(text: string | undefined): Date | undefined {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?$/.test(text)) return undefined
  const local = new Date(`${text}Z`)
  if (Number.isNaN(local.getTime()) || local.toISOString().slice(0, 10) !== text.slice(0, 10)) return undefined
  return new Date(local.getTime() + offsetMs)
}
