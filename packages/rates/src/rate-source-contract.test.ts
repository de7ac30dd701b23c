import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { rateSourceContract } from '@quipu/contracts'
import { compositeRate } from './composite/composite-rate.ts'
import { fixedRate } from './fixed-rate.ts'
import { httpJsonRate } from './http-json/http-json-rate.ts'

const now = (): Date => new Date()

rateSourceContract('fixedRate', async () => ({
  source: fixedRate({ bid: 99_500n, now }),
  async close() {},
}))

/** An API with a current rate. */
async function api(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((_request, response) => {
    response.end(JSON.stringify({ bid: '9.9500', at: now().toISOString() }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      if (!server.listening) return
      server.close()
      await once(server, 'close')
    },
  }
}

rateSourceContract('httpJsonRate', async () => {
  const { url, close } = await api()
  const source = httpJsonRate({ url, bidPath: 'bid', timePath: 'at', now })
  return { source, fail: close, close }
})

rateSourceContract('compositeRate', async () => {
  let clock = Date.now()
  const { url, close } = await api()
  const sources = ['a', 'b'].map((name) => httpJsonRate({ url, bidPath: 'bid', now, name }))
  return {
    source: compositeRate({ sources, now: () => new Date(clock) }),
    async fail() {
      await close()
      clock += 181_000
    },
    close,
  }
})
