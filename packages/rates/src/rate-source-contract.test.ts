import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Clock, formatRate, type Rate, rate } from '@quipu/core'
import { rateSourceContract } from '@quipu/contracts'
import { compositeRate } from './composite/composite-rate.ts'
import { fixedRate } from './fixed-rate.ts'
import { httpJsonRate } from './http-json/http-json-rate.ts'

/** A clock that only the suite moves. */
function steppedClock(): { readonly now: Clock; readonly advance: (ms: number) => void } {
  let at = Date.parse('2026-11-21T12:00:00.000Z')
  return { now: () => new Date(at), advance: (ms) => void (at += ms) }
}

rateSourceContract('fixedRate', async () => {
  const clock = steppedClock()
  return { ...clock, source: fixedRate({ bid: rate(99_500n), now: clock.now }), async close() {} }
})

/** An API with the rate that was last observed. */
async function api(now: Clock) {
  let market = { bid: '9.9500', at: now().toISOString() }
  const server = createServer((_request, response) => {
    response.end(JSON.stringify(market))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async observe(bid: Rate) {
      market = { bid: formatRate(bid), at: now().toISOString() }
    },
    async close() {
      server.closeAllConnections()
      if (!server.listening) return
      server.close()
      await once(server, 'close')
    },
  }
}

const paths = { bidPath: 'bid', timePath: 'at' } as const

rateSourceContract('httpJsonRate', async () => {
  const clock = steppedClock()
  const { url, observe, close } = await api(clock.now)
  const source = httpJsonRate({ url, ...paths, now: clock.now })
  return { ...clock, source, observe, fail: close, close }
})

rateSourceContract('compositeRate', async () => {
  const clock = steppedClock()
  const { now } = clock
  const { url, observe, close } = await api(now)
  const sources = ['a', 'b'].map((name) => httpJsonRate({ url, ...paths, now, name }))
  return {
    ...clock,
    source: compositeRate({ sources, now }),
    observe,
    async fail() {
      await close()
      clock.advance(181_000)
    },
    close,
  }
})
