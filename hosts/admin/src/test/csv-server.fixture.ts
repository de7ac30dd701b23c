import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A server that sends these chunks as CSV, and then ends the answer, or cuts the connection. */
export async function csvServer(chunks: readonly string[], end: 'end' | 'cut' = 'end') {
  const paths: string[] = []
  const server = createServer((req, res) => {
    paths.push(req.url ?? '')
    res.writeHead(200, { 'content-type': 'text/csv' })
    for (const chunk of chunks) res.write(chunk)
    if (end === 'end') res.end()
    else setImmediate(() => req.socket.resetAndDestroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { paths, env: { QUIPU_OPERATOR_URL: url, QUIPU_OPERATOR_TOKEN: 'the-token' } }
}
