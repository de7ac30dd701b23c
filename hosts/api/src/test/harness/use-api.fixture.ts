import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type TestApi, testApi } from './api.fixture.ts'

/** An API for the tests of a file, or for each of them. It is empty outside of hooks and tests. */
export function useTestApi(scope: 'shared' | 'each', env?: Record<string, string>): TestApi {
  const api = {} as TestApi
  const [before, after] = scope === 'shared' ? [beforeAll, afterAll] : [beforeEach, afterEach]
  before(async () => {
    Object.assign(api, await testApi(env))
  })
  after(() => api.stop())
  return api
}
