import { readFile } from 'node:fs/promises'
import { type Clock, parseRate, type RateSource, Unavailable } from '@quipu/core'

/** The bid that our treasury last wrote to a file: `9.9500 2026-11-21T12:00:00.000Z`. */
export const treasuryRate = (file: string, now: Clock): RateSource => ({
  async current() {
    const text = await readFile(file, 'utf8').catch((cause: unknown) => {
      throw new Unavailable('rate_source', 'the treasury has no fresh bid', { cause })
    })
    const [decimal = '', instant = ''] = text.trim().split(' ')
    const [bid, observedAt] = [parseRate(decimal), new Date(instant)]
    const isFresh = now().getTime() - observedAt.getTime() <= 180_000
    if (!bid || !isFresh) throw new Unavailable('rate_source', 'the treasury has no fresh bid')
    return { bid, source: 'treasury', observedAt }
  },
})
