import { ApiSettings } from '@quipu/api/settings'
import { readSettings } from '@quipu/runtime'
import { WorkerSettings } from '@quipu/worker/settings'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { admin } from '../test/admin.fixture.ts'

/** Required, or required by another setting's value. */
const required = {
  ENVIRONMENT: 'sandbox',
  DATABASE_URL: 'postgres://app@db/quipu',
  QR_NETWORK_URL: 'https://network.example',
  QR_NETWORK_TOKEN: 'token',
  WEBHOOK_SECRET_KEY: 'ab'.repeat(32),
  RATE_SOURCE: 'fixed',
  RATE_BID: '9.9500',
}

test.each([
  ['api', ApiSettings],
  ['worker', WorkerSettings],
] as const)(
  'the example of the %s has every setting, and the program accepts it with all defaults written out',
  async (program, schema) => {
    const { code, out } = await admin(['settings', 'example', program])
    expect(code).toBe(0)
    const named = [...out.matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name)
    expect(named.toSorted()).toEqual(Object.keys(schema.shape).toSorted())
    expect(out.split('\n').filter((line) => line.length > 110 && !line.includes('='))).toEqual([])
    const empty = parseEnv(out) as Record<string, string>
    expect(Object.keys(empty).filter((name) => !(name in required))).toEqual([])
    const written = parseEnv(out.replaceAll(/^# ([A-Z][A-Z0-9_]+=)/gm, '$1')) as Record<string, string>
    const least = Object.fromEntries(Object.entries(required).filter(([name]) => name in schema.shape))
    const read = (env: Record<string, string | undefined>) => readSettings<typeof schema>(schema, env)
    expect(read({ ...written, ...least })).toEqual(read(least))
  },
)
