import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { sqsWakeQueue } from '../queue/wake-queue.ts'
import { connectionTo } from '../sqs.fixture.ts'

/** The error of a call whose answer has this body. */
async function errorOf(status: number, body: string): Promise<unknown> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(status, { 'Content-Type': 'text/xml' }).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const queue = sqsWakeQueue({ ...connectionTo(url), queueUrl: `${url}/000000000000/wake` })
  onTestFinished(async () => {
    await queue.stop()
    server.close()
    server.closeAllConnections()
  })
  return queue.take(1, 0).catch((error: unknown) => error)
}

test('a refusal in XML says what to check', async () => {
  const denied =
    '<ErrorResponse><Error><Code>AccessDenied</Code><Message>No identity-based policy allows sqs:ReceiveMessage</Message></Error></ErrorResponse>'
  expect(String(await errorOf(403, denied))).toContain('HTTP 403: check the credentials and what their policy allows')
})

test('another answer that is no response of SQS is reported by its status', async () => {
  expect(String(await errorOf(404, '<html>no</html>'))).toContain('HTTP 404, not a response of SQS')
})
