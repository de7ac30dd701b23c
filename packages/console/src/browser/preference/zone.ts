import type { Store } from '../store.ts'
import { preference } from './preference.ts'

/** The zones that the API knows. */
export const apiZones = ['UTC', 'America/La_Paz'] as const
export type ApiZone = (typeof apiZones)[number]

export const zones = [...apiZones, 'browser'] as const
export type Zone = (typeof zones)[number]

/** The zone of every instant and every day that the console shows or asks for. */
export const zone: Store<Zone> = preference<Zone>('zone', zones, 'browser')

/** The zone's name for `Intl`; undefined: the browser's. */
export const timeZoneOf = (chosen: Zone): ApiZone | undefined => (chosen === 'browser' ? undefined : chosen)

/** The API's zone of this choice: UTC where the browser's is not known to it. */
export function apiZoneOf(chosen: Zone): ApiZone {
  const { timeZone } = Intl.DateTimeFormat(undefined, { timeZone: timeZoneOf(chosen) }).resolvedOptions()
  return apiZones.find((each) => each === timeZone) ?? 'UTC'
}

/** How far a zone is behind UTC at an instant, in milliseconds. La Paz has no daylight saving time. */
const behindMs = (chosen: Zone, at: Date): number =>
  chosen === 'browser' ? at.getTimezoneOffset() * 60_000 : chosen === 'UTC' ? 0 : 4 * 3_600_000

/** `2026-11-20`: the day of an instant; empty for a text that is none. */
export function dayIn(chosen: Zone, instant: string | null): string {
  const at = new Date(instant ?? Number.NaN)
  if (Number.isNaN(at.getTime())) return ''
  return new Date(at.getTime() - behindMs(chosen, at)).toISOString().slice(0, 10)
}

/** The first or last instant of a day, as the API reads it; empty for a text that is no day. */
export function instantIn(chosen: Zone, day: string, end: 'first' | 'last'): string {
  const local = new Date(`${day}T${end === 'first' ? '00:00:00.000' : '23:59:59.999'}Z`)
  if (Number.isNaN(local.getTime())) return ''
  const near = new Date(local.getTime() + behindMs(chosen, local))
  return new Date(local.getTime() + behindMs(chosen, near)).toISOString()
}

/** When a day begins, in seconds since the epoch; NaN for a text that is no day. */
export const secondOf = (chosen: Zone, day: string | null): number =>
  Date.parse(instantIn(chosen, day ?? '', 'first')) / 1000
