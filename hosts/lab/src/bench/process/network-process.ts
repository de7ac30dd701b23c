import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

// The network of @quipu/qr-network, as far as payouts need it: every content is a QR of BOB 100.00, and every order is
// paid. A message `[ms, spread]` makes each later answer take `ms` ± `spread` milliseconds.

/** The reply to any message. */
export type NetworkReport = {
  readonly port: number
  readonly payments: number
  /** Orders for a reference that was paid already. */
  readonly doubled: number
}

let [ms, spread] = [0, 0]
const paid = new Set<string>()
let doubled = 0

const server = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk: Buffer) => (text += chunk.toString()))
  request.on('end', () => answer(response, answerTo(request.url ?? '', JSON.parse(text) as Order)))
})

type Order = { readonly content: string; readonly network_ref: string; readonly amount: string }

function answerTo(path: string, { content, network_ref, amount }: Order): object {
  if (path === '/v1/qr/read') {
    const merchant = { name: 'Bench', bank_code: '1001' }
    const qr = { network_ref: content, amount_mode: 'closed', amount: '100.00', currency: 'BOB' }
    return { ...qr, description: null, merchant, expires_at: null }
  }
  const reference = path.slice('/v1/payments/'.length)
  if (paid.has(reference)) doubled += 1
  paid.add(reference)
  const payment = { reference, network_ref, amount, currency: 'BOB' }
  return { ...payment, outcome: 'paid', final: true, network_payment_id: reference }
}

function answer(response: ServerResponse, json: object): void {
  const body = JSON.stringify(json)
  const send = (): void => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
  }
  if (ms === 0) send()
  else setTimeout(send, ms + (2 * Math.random() - 1) * spread)
}

server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
const report = () => process.send?.({ port, payments: paid.size, doubled } satisfies NetworkReport)
process.on('message', (message: string) => {
  if (message !== 'report') [ms, spread] = JSON.parse(message) as [number, number]
  report()
})
process.once('SIGTERM', () => process.exit())
report()
