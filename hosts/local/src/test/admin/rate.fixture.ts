import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

/** Starts a rate source that answers each request with `{"bid": …}`. @returns its URL */
export async function startRate(resources: AsyncDisposableStack, bid: string): Promise<string> {
  const body = JSON.stringify({ bid })
  const server = createServer((_, res) => void res.end(body)).listen(0, '127.0.0.1')
  resources.adopt(server, (it) => void it.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
