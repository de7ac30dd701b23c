import { defaultRetryPolicy } from '@quipu/core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { BadSettings, readSettings } from './settings.ts'
import { retryPolicyOf, webhookIssues, webhookSettings } from './webhook-settings.ts'

const Settings = z.object(webhookSettings)
const read = (env: Record<string, string>) => readSettings(Settings, env)

test('spec §6: by default header names begin with X-Service- and private addresses are refused', () => {
  expect(read({})).toMatchObject({ WEBHOOK_HEADER_PREFIX: 'X-Service-', WEBHOOK_ALLOW_PRIVATE: false })
  expect(read({}).WEBHOOK_SECRET_KEY).toBeUndefined()
})

test('spec §8: by default there are 8 attempts, at most 1 h apart', () => {
  expect(read({})).toMatchObject({ WEBHOOK_ATTEMPTS: 8, WEBHOOK_MAX_DELAY_SECONDS: 3_600 })
  expect(retryPolicyOf(read({}))).toEqual(defaultRetryPolicy)
})

test('the retry policy follows its settings', () => {
  const env = { WEBHOOK_ATTEMPTS: '12', WEBHOOK_MAX_DELAY_SECONDS: '600' }
  expect(retryPolicyOf(read(env))).toEqual({ ...defaultRetryPolicy, attempts: 12, maxDelaySeconds: 600 })
})

test('WEBHOOK_SECRET_KEY is 32 bytes in hex, or a ring of such keys', () => {
  const { WEBHOOK_SECRET_KEY: key } = read({ WEBHOOK_SECRET_KEY: '0F'.repeat(32) })
  const [one, two] = [0x0f, 0xab].map((byte) => new Uint8Array(32).fill(byte))
  expect(key).toEqual([{ id: '1', key: one }])
  const ring = `2:${'ab'.repeat(32)}, ${'0f'.repeat(32)}`
  expect(read({ WEBHOOK_SECRET_KEY: ring }).WEBHOOK_SECRET_KEY).toEqual([
    { id: '2', key: two },
    { id: '1', key: one },
  ])
})

test.each([
  ['WEBHOOK_SECRET_KEY', '0f'.repeat(31)],
  ['WEBHOOK_SECRET_KEY', 'zz'.repeat(32)],
  ['WEBHOOK_SECRET_KEY', `${'0f'.repeat(32)},${'ab'.repeat(32)}`],
  ['WEBHOOK_SECRET_KEY', `2:${'0f'.repeat(32)},`],
  ['WEBHOOK_SECRET_KEY', `a key:${'0f'.repeat(32)}`],
  ['WEBHOOK_HEADER_PREFIX', 'X-Ser vice-'],
  ['WEBHOOK_HEADER_PREFIX', 'X-Sérvice-'],
  ['WEBHOOK_HEADER_PREFIX', 'X-A:\r\nX-'],
  ['WEBHOOK_ALLOW_PRIVATE', '1'],
  ['WEBHOOK_ATTEMPTS', '0'],
  ['WEBHOOK_MAX_DELAY_SECONDS', '29'],
])('%s=%j is refused', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(BadSettings)
  expect(() => read({ [name]: value })).toThrow(`${name}: must be`)
})

test('private addresses are refused in production only', () => {
  const [ENVIRONMENT, WEBHOOK_ALLOW_PRIVATE] = ['production', true] as const
  expect(webhookIssues({ ENVIRONMENT, WEBHOOK_ALLOW_PRIVATE })).toEqual([
    { variable: 'WEBHOOK_ALLOW_PRIVATE', message: 'must not be true in production' },
  ])
  expect(webhookIssues({ ENVIRONMENT, WEBHOOK_ALLOW_PRIVATE: false })).toEqual([])
  expect(webhookIssues({ ENVIRONMENT: 'sandbox', WEBHOOK_ALLOW_PRIVATE })).toEqual([])
})
