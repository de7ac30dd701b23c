import { afterAll } from 'vitest'
import { type FakeApi, openFakeApi } from './fake-api.fixture.ts'
import { faultSuite } from './fault-suite.fixture.ts'

let api: FakeApi
afterAll(async () => api[Symbol.asyncDispose]())

faultSuite('to an API in memory', async () => {
  api = await openFakeApi()
  return { baseUrl: api.url, apiKey: api.apiKey }
})
