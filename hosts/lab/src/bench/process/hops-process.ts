import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sessionSettings } from '@quipu/postgres'
import pg from 'pg'
import { Pool } from 'undici'

// The hops of a payout without its work: one request, one read and two commits of one row each on a prepared statement,
// and two requests to the network. A payout cannot cost less, whatever it does between them.

/** The reply to any message. */
export type HopsReport = { readonly port: number; readonly queries: Readonly<Record<string, number>> }

const [databaseUrl = '', networkUrl = ''] = process.argv.slice(2)
const db = new pg.Client({ connectionString: databaseUrl, options: sessionSettings })
await db.connect()
const network = new Pool(networkUrl, { connections: 1, pipelining: 1 })
const body = Buffer.alloc(900)
const answer = JSON.stringify({ status: 'completed', body: 'x'.repeat(900) })
// The bench has made the table.
const write = { name: 'write', text: 'insert into public.hop (body) values ($1)', values: [body] }

async function askNetwork(path: string, content: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const reply = await network.request({ method: 'POST', path, headers, body: JSON.stringify(content) })
  await reply.body.json()
}

let count = 0
const server = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk: Buffer) => (text += chunk.toString()))
  request.on('end', () => void respond(text).then(() => response.writeHead(201, headers).end(answer)))
})
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) }

async function respond(text: string): Promise<void> {
  JSON.parse(text)
  const content = `hop-${process.pid}-${count++}`
  await db.query({ name: 'read', text: 'select id from public.hop where id = $1 limit 0', values: [count] })
  await askNetwork('/v1/qr/read', { content })
  await db.query(write)
  await askNetwork(`/v1/payments/${content}`, { network_ref: content, amount: '100.00' })
  await db.query(write)
}

server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const report = () => process.send?.({ port: (server.address() as AddressInfo).port, queries: {} } satisfies HopsReport)
process.on('message', report)
process.once('SIGTERM', () => process.exit())
report()
