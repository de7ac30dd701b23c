import { type Rate, type RateSource, Unavailable, rate } from '@quipu/core'
import { expect, test } from 'vitest'
import { expectMovingRate, expectNoStaleRate, type RateSourceHarness } from './rate-source.contract.ts'

type Market = { bid: Rate; observedAt: Date }

/** A market, and a source that shows it as `make` says. */
function openMarket(make: (market: Market, now: () => Date) => RateSource['current']): RateSourceHarness {
  let clock = new Date('2026-11-21T12:00:00.000Z')
  const now = (): Date => clock
  const market: Market = { bid: rate(99_500n), observedAt: clock }
  return {
    source: { current: make(market, now) },
    now,
    advance: (ms) => void (clock = new Date(clock.getTime() + ms)),
    observe: async (bid) => void Object.assign(market, { bid, observedAt: clock }),
    async close() {},
  }
}

const fresh = () =>
  openMarket((market, now) => async () => {
    if (now().getTime() - market.observedAt.getTime() > 180_000) throw new Unavailable('rate_source', 'stale')
    return { ...market, source: 'market' }
  })

test('a source that reads the market and refuses old observations passes', async () => {
  await expectNoStaleRate(fresh())
  await expectMovingRate(fresh())
})

test('a source that is frozen at its first observation fails', async () => {
  const frozen = () =>
    openMarket((market) => {
      const first = { ...market, source: 'market' }
      return async () => first
    })
  await expect(expectNoStaleRate(frozen())).rejects.toThrow('the age of the observation in ms')
  await expect(expectMovingRate(frozen())).rejects.toThrow(/greater than/)
})

test('a source that passes off its first bid as observed now fails', async () => {
  const stamped = openMarket(({ bid }, now) => async () => ({ bid, source: 'market', observedAt: now() }))
  await expect(expectMovingRate(stamped)).rejects.toThrow(/99501n/)
})

test('a source that returns an old observation as long as there is no other fails', async () => {
  const careless = openMarket((market) => async () => ({ ...market, source: 'market' }))
  await expect(expectNoStaleRate(careless)).rejects.toThrow('the age of the observation in ms')
})

test('a source with a time in the future fails', async () => {
  const ahead = openMarket((market, now) => async () => ({
    bid: market.bid,
    source: 'market',
    observedAt: new Date(now().getTime() + 10001),
  }))
  await expect(expectNoStaleRate(ahead)).rejects.toThrow('the age of the observation in ms')
})
