import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askJson } from '../../ask-json.ts'
import { blackBoxSuite } from './black-box.fixture.ts'
import type { ApiTarget } from './checked-tenant.fixture.ts'
import { refusedRequests } from './refused-requests.fixture.ts'
import { type StartHarness, openStartHarness } from '../harness/start-harness.fixture.ts'

let harness: StartHarness
beforeAll(async () => {
  harness = await openStartHarness({ CELL: 'g' }) // `client.test.ts` runs an installation without a letter.
  await harness.started()
})
afterAll(() => harness[Symbol.asyncDispose]())

const api = async (): Promise<ApiTarget> => {
  const { base_url, api_key } = await harness.local()
  expect(api_key).toMatch(/^qpu_test_g/)
  return { baseUrl: base_url, apiKey: api_key }
}
const example = async (): Promise<ApiTarget> => {
  const { example_url } = await harness.local()
  return { baseUrl: example_url, apiKey: 'qpu_mock_black_box' }
}

blackBoxSuite('the API of a cell on PostgreSQL', api)
blackBoxSuite('the example server', example)

describe('the API and the example server give the same answer to', () => {
  test.each(refusedRequests)('$method $path $body', async ({ headers, ...request }) => {
    const [apiAnswer, exampleAnswer] = await Promise.all(
      [await api(), await example()].map(async ({ baseUrl, apiKey }) => {
        const sent = { ...request, headers: { 'x-api-key': apiKey, 'x-request-id': 'same', ...headers } }
        const { status, json, headers: answered } = await askJson(baseUrl, sent)
        // Each server links to its own page, and names the prefix of its own keys.
        const { origin } = new URL(baseUrl)
        const [prefix = ''] = /^qpu_[a-z]+_/.exec(apiKey) ?? []
        const text = JSON.stringify(json).replaceAll(origin, '').replaceAll(prefix, '(prefix)')
        const body: unknown = JSON.parse(text)
        return { status, json: body, allow: answered.get('allow') }
      }),
    )

    expect(exampleAnswer).toEqual(apiAnswer)
    expect(apiAnswer).toMatchObject({
      status: expect.toSatisfy((status: number) => status >= 400 && status < 500),
      json: { error: { code: expect.any(String), request_id: 'same' } },
    })
  })
})
