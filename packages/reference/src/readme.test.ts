import { expect, test } from 'vitest'
import { pageFor } from './readme.fixture.ts'

test('the program of the README makes a page that can call both servers', async () => {
  const { html, headers } = await pageFor('https://example.test')
  expect(html).toContain('POST')
  expect(JSON.stringify(headers)).toContain('https://example.test')
})
