import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

type Records = Readonly<Record<string, { readonly a?: string; readonly aaaa?: string }>>

/** A DNS server with at most one A and one AAAA record a name. @returns its address, and the queries */
export async function startNameServer(
  records: Records,
): Promise<{ readonly server: string; readonly queries: readonly string[] }> {
  const queries: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { address, port }) => {
    const question = query.subarray(12, query.indexOf(0, 12) + 5)
    const name = nameIn(question)
    const isIpv4 = question.at(-3) === 1
    queries.push(`${name} ${isIpv4 ? 'A' : 'AAAA'}`)
    const record = records[name]
    const found = isIpv4 ? record?.a : record?.aaaa
    const answer = found === undefined ? Buffer.alloc(0) : resource(found, isIpv4)
    const head = Buffer.alloc(12)
    query.copy(head, 0, 0, 2)
    // A response; NXDOMAIN for an unknown name.
    head.writeUInt16BE(record ? 0x8180 : 0x8183, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(found === undefined ? 0 : 1, 6)
    socket.send(Buffer.concat([head, question, answer]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return { server: `127.0.0.1:${socket.address().port}`, queries }
}

function nameIn(question: Buffer): string {
  const labels: string[] = []
  for (let at = 0, size = question[0] ?? 0; size > 0; at += size + 1, size = question[at] ?? 0)
    labels.push(question.toString('latin1', at + 1, at + 1 + size))
  return labels.join('.').toLowerCase()
}

/** A record for the name of the question, with a TTL of a minute. @param address  IPv6 without `::` */
function resource(address: string, isIpv4: boolean): Buffer {
  const data = isIpv4
    ? Buffer.from(address.split('.').map(Number))
    : Buffer.from(
        address
          .split(':')
          .map((part) => part.padStart(4, '0'))
          .join(''),
        'hex',
      )
  const head = Buffer.from([0xc0, 12, 0, isIpv4 ? 1 : 28, 0, 1, 0, 0, 0, 60, 0, data.length])
  return Buffer.concat([head, data])
}
