import { readSettings } from '@quipu/runtime'
import { expect, test } from 'vitest'
import { docsUrlOf, ExampleSettings } from './settings.ts'

test.each([
  [{}, 'http://127.0.0.1:4002/docs'],
  [{ HOST: '::1', PORT: '4012' }, 'http://[::1]:4012/docs'],
  [{ HOST: '0.0.0.0' }, undefined],
  [{ TRUSTED_PROXIES: '1' }, undefined],
  [{ PORT: '0' }, undefined],
  [{ HOST: '0.0.0.0', DOCS_URL: 'https://example.quipu.test/docs/' }, 'https://example.quipu.test/docs'],
])('with %o errors link to %s', (env, url) => {
  expect(docsUrlOf(readSettings(ExampleSettings, env))).toBe(url)
})
