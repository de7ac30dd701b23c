import type { RateReading } from '@quipu/core/adapter'

export type Freshness = {
  /** How old a reading may be by its source's own time. */
  readonly staleSeconds: number
  /** How far ahead of ours that time may be: clocks differ a little. */
  readonly aheadSeconds: number
}

export const freshness: Freshness = { staleSeconds: 180, aheadSeconds: 10 }

export function isFresh(
  { observedAt }: Pick<RateReading, 'observedAt'>,
  now: Date,
  { staleSeconds, aheadSeconds }: Freshness,
): boolean {
  const ageMs = now.getTime() - observedAt.getTime()
  return ageMs <= staleSeconds * 1000 && ageMs >= -aheadSeconds * 1000
}
