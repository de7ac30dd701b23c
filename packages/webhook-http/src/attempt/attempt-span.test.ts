import { inWorkSpan } from '@quipu/tracing'
import { recordSpans } from '@quipu/tracing/testing'
import { expect, onTestFinished, test } from 'vitest'
import { answerEach, requestTo, startReceiver, startSender } from './receiver.fixture.ts'

/** Sends to the URL within a recorded span. @returns the attributes of the attempt's span */
async function attributesOf(url: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const recorded = recordSpans(1)
  onTestFinished(() => recorded.stop())
  const sender = startSender()
  const work = { scope: 'test', name: 'deliver', kind: 'internal' } as const
  await inWorkSpan(work, undefined, () => sender.send(requestTo(url)))
  return recorded.spans().find(({ name }) => name === 'POST')?.attributes
}

test.each([
  [204, undefined],
  [302, 'REDIRECT'],
  [503, '503'],
])('the span of an attempt has the status %i and the error %s', async (status, error) => {
  const { url, port, received } = await startReceiver(answerEach(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`))
  const attributes = await attributesOf(url)
  expect(attributes).toMatchObject({
    'http.request.method': 'POST',
    'server.address': '127.0.0.1',
    'server.port': port,
    'http.response.status_code': status,
  })
  expect(attributes?.['error.type']).toBe(error)
  expect(received()).toMatch(/^traceparent: 00-[0-9a-f]{32}-[0-9a-f]{16}-01\r$/m)
})

test('the span of an attempt without an answer has its error and no status', async () => {
  const { url } = await startReceiver((socket) => void socket.resetAndDestroy())
  const attributes = await attributesOf(url)
  expect(attributes).toMatchObject({ 'error.type': 'CONNECTION_RESET' })
  expect(attributes).not.toHaveProperty('http.response.status_code')
})
