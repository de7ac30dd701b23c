import { bob, usdt } from '@quipu/core'
import type { ProductionOverride } from '@quipu/runtime'
import { expect, test } from 'vitest'
import { apiProductionIssues } from './production-settings.ts'

type Settings = Parameters<typeof apiProductionIssues>[0]

/** The variables that production refuses. */
const refused = (settings: Settings): string[] =>
  apiProductionIssues({ ENVIRONMENT: 'production', ...settings }).map(({ variable }) => variable)

const source = (url: string) => ({ url })

test.each<[ProductionOverride, string, Settings]>([
  ['fixed-rate', 'RATE_SOURCE', { RATE_SOURCE: 'fixed' }],
  ['plain-http', 'RATE_SOURCES', { RATE_SOURCES: [source('http://rates.example')] }],
  ['limits-off', 'RATE_LIMIT_READS', { RATE_LIMIT_READS: 'off' }],
  ['limits-off', 'RATE_LIMIT_WRITES', { RATE_LIMIT_WRITES: 'off' }],
  ['limits-off', 'RATE_LIMIT_FAILED_KEYS', { RATE_LIMIT_FAILED_KEYS: 'off' }],
  ['open-operator-host', 'OPERATOR_HOST', { OPERATOR_HOST: '0.0.0.0' }],
  ['one-rate-source', 'RATE_SOURCE', { RATE_SOURCE: 'http-json' }],
  ['no-rate-band', 'RATE_MIN', { RATE_SOURCE: 'composite', RATE_MAX: 110_000n }],
  ['no-rate-band', 'RATE_MAX', { RATE_SOURCE: 'composite', RATE_MIN: 90_000n }],
  ['one-person', 'APPROVAL_LIMIT_USDT', { APPROVAL_LIMIT_USDT: usdt(10_000_000_001n) }],
  ['one-person', 'APPROVAL_LIMIT_DAILY_USDT', { APPROVAL_LIMIT_DAILY_USDT: usdt(10n ** 18n) }],
  ['one-person', 'APPROVAL_LIMIT_CAP_BOB', { APPROVAL_LIMIT_CAP_BOB: bob(500_000_01n) }],
  ['weak-token', 'QR_NETWORK_TOKEN', { QR_NETWORK_TOKEN: 'x' }],
  ['weak-token', 'QR_NETWORK_TOKEN', { QR_NETWORK_TOKEN: 'ab'.repeat(20) }],
])('without the override %s production refuses %s', (override, variable, settings) => {
  expect(refused(settings)).toEqual([variable])
  expect(refused({ ...settings, PRODUCTION_OVERRIDES: [override] })).toEqual([])
  expect(apiProductionIssues({ ...settings, ENVIRONMENT: 'sandbox' })).toEqual([])
  const [issue] = apiProductionIssues({ ENVIRONMENT: 'production', ...settings })
  expect(issue?.message).toContain(`unless PRODUCTION_OVERRIDES has ${override}`)
})

test.each(['0.0.0.0', '0', '::', '0x0', '0:0:0:0:0:0:0:0', '::ffff:0.0.0.0', '::%lo', '::0%eth0'])(
  'production refuses an operator listener at %s: all interfaces',
  (OPERATOR_HOST) => expect(refused({ OPERATOR_HOST })).toEqual(['OPERATOR_HOST']),
)

test.each(['127.0.0.1', '10.0.0.7', '::1', 'fe80::1%eth0', 'operators.internal'])(
  'production accepts an operator listener at %s: one interface',
  (OPERATOR_HOST) => expect(refused({ OPERATOR_HOST })).toEqual([]),
)

test('a host counts as one source, however its URL is written', () => {
  const refusedFor = (...urls: string[]) => refused({ RATE_SOURCES: urls.map(source) })
  const url = 'https://rates.example/usdt'
  for (const same of ['https://RATES.example:443/usdt#two', `${url}?`, 'https://rates.example:8443/'])
    expect(refusedFor(url, same)).toEqual(['RATE_SOURCES'])
  expect(refusedFor(url, 'https://other.example/usdt')).toEqual([])
})

test('the limits of one person alone are accepted up to their bounds', () => {
  const most = { APPROVAL_LIMIT_USDT: usdt(10_000_000_000n), APPROVAL_LIMIT_CAP_BOB: bob(500_000_00n) }
  expect(refused(most)).toEqual([])
})

test('production requires a callback secret of at least 32 characters', () => {
  expect(refused({ QR_NETWORK_CALLBACK_SECRET: 'x' })).toEqual(['QR_NETWORK_CALLBACK_SECRET'])
  expect(refused({ QR_NETWORK_CALLBACK_SECRET: 'x'.repeat(31) })).toHaveLength(1)
  expect(refused({ QR_NETWORK_CALLBACK_SECRET: 'a'.repeat(32) })).toHaveLength(1)
  expect(refused({ QR_NETWORK_CALLBACK_SECRET: '0123456789abcdef'.repeat(2) })).toEqual([])
})
