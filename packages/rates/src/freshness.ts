import { rateAgeSeconds, type RateReading } from '@quipu/core/adapter'

export type Freshness = {
  /** Maximum age of a reading by its source's time. */
  readonly staleSeconds: number
  /** How far the source's time may be in the future, for differing clocks. */
  readonly aheadSeconds: number
}

export const freshness: Freshness = { staleSeconds: rateAgeSeconds.max, aheadSeconds: rateAgeSeconds.ahead }

export function isFresh(
  { observedAt }: Pick<RateReading, 'observedAt'>,
  now: Date,
  { staleSeconds, aheadSeconds }: Freshness,
): boolean {
  const ageMs = now.getTime() - observedAt.getTime()
  return ageMs <= staleSeconds * 1000 && ageMs >= -aheadSeconds * 1000
}
