import { timeZoneOf, type Zone, zone } from '../preference/zone.ts'
import { useStore } from '../store.ts'
import { type Language, language } from './text.ts'

/** Formats values for the person. Amounts stay decimal texts: `Intl` reads them exactly. */
export type Format = {
  /** `1,234.560000`: every digit that the API has. */
  amount(decimal: string): string
  /** `1,234.56`: cut off, never rounded up. */
  shortAmount(decimal: string): string
  count(value: number | bigint): string
  /** The numbers at an axis, each with as many decimals as the finest needs: `0.0`, `0.5`, `1.0`. */
  ticks(values: readonly number[]): string[]
  /** `99.1 %`. @param ratio  0 to 1 */
  share(ratio: number): string
  /** Date and time of day in the chosen time zone, which is named. */
  instant(iso: string): string
  timeOfDay(iso: string): string
  /** `10:04`, for a place that names the zone itself. */
  hourAndMinute(iso: string): string
  /** The name of the chosen time zone at that instant: `UTC`, `GMT-4`. */
  zone(iso: string): string
  day(iso: string): string
  /** `Mon`. */
  weekday(iso: string): string
  /** `45 s`, `3 min`, `2 h`, `4 d`. */
  duration(seconds: number): string
}

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', es: 'es-BO' }

const formats = new Map<string, Format>()

export function formatIn(spoken: Language, chosen: Zone): Format {
  const name = `${spoken} ${chosen}`
  const known = formats.get(name)
  if (known) return known
  const made = makeFormat(locales[spoken], timeZoneOf(chosen))
  formats.set(name, made)
  return made
}

/** @param of  the zone of a page that has its own */
export function useFormat(of?: Zone): Format {
  const chosen = useStore(zone)
  return formatIn(useStore(language), of ?? chosen)
}

function makeFormat(locale: string, timeZone: string | undefined): Format {
  const numbers = (options: Intl.NumberFormatOptions): ((value: string) => string) => {
    const format = new Intl.NumberFormat(locale, { useGrouping: 'always', ...options })
    return (value) => format.format(value as Intl.StringNumericLiteral)
  }
  const dates = (options: Intl.DateTimeFormatOptions): ((iso: string) => string) => {
    const format = new Intl.DateTimeFormat(locale, { hourCycle: 'h23', timeZone, ...options })
    return (iso) => format.format(new Date(iso))
  }
  const whole = numbers({ maximumFractionDigits: 0 })
  const percent = numbers({ style: 'percent', maximumFractionDigits: 1 })
  const short = numbers({ minimumFractionDigits: 2, maximumFractionDigits: 2, roundingMode: 'trunc' })
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
  const named = { timeZoneName: 'short' } as const
  const zoneParts = new Intl.DateTimeFormat(locale, { timeZone, ...named })
  const date = { year: 'numeric', month: 'short', day: '2-digit' } as const
  return {
    amount: (decimal) => numbers({ minimumFractionDigits: decimalsOf(decimal) })(decimal),
    shortAmount: short,
    count: (value) => whole(String(value)),
    ticks: (values) => {
      const texts = values.map(String)
      return texts.map(numbers({ minimumFractionDigits: Math.max(0, ...texts.map(decimalsOf)) }))
    },
    share: (ratio) => percent(String(ratio)),
    instant: dates({ ...date, ...time, ...named }),
    timeOfDay: dates({ ...time, ...named }),
    hourAndMinute: dates({ hour: '2-digit', minute: '2-digit' }),
    zone: (iso) => zoneParts.formatToParts(new Date(iso)).find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC',
    day: dates(date),
    weekday: dates({ weekday: 'short' }),
    duration: (seconds) => durationOf(seconds, whole),
  }
}

const decimalsOf = (decimal: string): number => decimal.split('.')[1]?.length ?? 0

const units = [
  { name: 'd', seconds: 86_400 },
  { name: 'h', seconds: 3_600 },
  { name: 'min', seconds: 60 },
] as const

function durationOf(seconds: number, whole: (value: string) => string): string {
  const unit = units.find((each) => seconds >= each.seconds)
  const [count, name] = unit ? [seconds / unit.seconds, unit.name] : [seconds, 's']
  return `${whole(String(Math.floor(count)))} ${name}`
}
