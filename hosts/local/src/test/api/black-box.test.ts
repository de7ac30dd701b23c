import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askJson } from '../../ask-json.ts'
import { blackBoxSuite } from './black-box.fixture.ts'
import type { Subject } from './checked-tenant.fixture.ts'
import { sameEverywhere } from './refused-requests.fixture.ts'
import { type Home, openHome } from '../harness/start-harness.fixture.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
  await home.started()
}, 120_000)
afterAll(() => home[Symbol.asyncDispose]())

const api = async (): Promise<Subject> => {
  const { base_url, api_key } = await home.local()
  return { baseUrl: base_url, apiKey: api_key }
}
const example = async (): Promise<Subject> => {
  const { example_url } = await home.local()
  return { baseUrl: example_url, apiKey: 'qpu_mock_black_box' }
}

blackBoxSuite('the API on PostgreSQL', api)
blackBoxSuite('the example server', example)

describe('the API and the example server answer the same to', () => {
  test.each(sameEverywhere)('$method $path $body', async ({ headers, ...request }) => {
    const [one, other] = await Promise.all(
      [await api(), await example()].map(async ({ baseUrl, apiKey }) => {
        const given = {
          ...request,
          headers: { 'x-api-key': apiKey, 'x-request-id': 'same', ...headers },
        }
        const { status, json, headers: answered } = await askJson(baseUrl, given)
        return { status, json, allow: answered.get('allow') }
      }),
    )

    expect(other).toEqual(one)
    expect(one).toMatchObject({
      status: expect.toSatisfy((status: number) => status >= 400 && status < 500),
      json: { error: { code: expect.any(String), request_id: 'same' } },
    })
  })
})
