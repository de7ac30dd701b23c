import { expect, onTestFinished, test } from 'vitest'
import { type Poster, poster } from './readme.fixture.ts'
import { answerEach, startReceiver } from './attempt/receiver.fixture.ts'

function opened(allowPrivate?: boolean): Poster {
  const made = poster(allowPrivate)
  onTestFinished(() => made.stop())
  return made
}

test('the README’s example sends an event', async () => {
  const { url, received } = await startReceiver(answerEach('HTTP/1.1 204 No Content\r\n\r\n'))
  expect(await opened(true).post(url, { id: 'e1' })).toMatchObject({ statusCode: 204, error: null })
  expect(received()).toContain('{"id":"e1"}')
})

test('the README’s example returns why a URL is refused', async () => {
  expect(await opened().post('https://10.0.0.1/hook', {})).toBe('must not lead to a private or reserved address')
})
