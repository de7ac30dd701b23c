import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { agreedRate } from './readme.fixture.ts'

test('the program of the README gives the lower of two bids', async () => {
  const at = new Date().toISOString()
  const answers = { '/broker': { bid: '9.9600', at }, '/p2p': { market: { bid: 9.95, time: at } } }
  const server = createServer(({ url }, response) => {
    response.end(JSON.stringify(answers[url as keyof typeof answers]))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // A source's name is its host, and two different names are required.
  const exchange = `${base.replace('127.0.0.1', 'localhost')}/p2p`
  expect(await agreedRate(`${base}/broker`, exchange).current()).toMatchObject({ bid: 99_500n })
  server.close()
})
