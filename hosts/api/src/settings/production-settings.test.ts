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
])('without the override %s production refuses %s = %j', (override, variable, settings) => {
  expect(refused(settings)).toEqual([variable])
  expect(refused({ ...settings, PRODUCTION_OVERRIDES: [override] })).toEqual([])
  expect(apiProductionIssues({ ...settings, ENVIRONMENT: 'sandbox' })).toEqual([])
  const [issue] = apiProductionIssues({ ENVIRONMENT: 'production', ...settings })
  expect(issue?.message).toContain(`unless PRODUCTION_OVERRIDES has ${override}`)
})

test.each(['0.0.0.0', '0', '::', '0:0:0:0:0:0:0:0', '::ffff:0.0.0.0'])(
  'production refuses an operator listener at %s: all interfaces',
  (OPERATOR_HOST) => expect(refused({ OPERATOR_HOST })).toEqual(['OPERATOR_HOST']),
)

test.each(['127.0.0.1', '10.0.0.7', '::1', 'operators.internal'])(
  'production accepts an operator listener at %s: one interface',
  (OPERATOR_HOST) => expect(refused({ OPERATOR_HOST })).toEqual([]),
)

test('a URL counts as one source, however it is written', () => {
  const twice = [source('https://rates.example/usdt'), source('https://RATES.example:443/usdt#two')]
  expect(refused({ RATE_SOURCES: twice })).toEqual(['RATE_SOURCES'])
  const two = [source('https://rates.example/usdt?at=one'), source('https://rates.example/usdt')]
  expect(refused({ RATE_SOURCES: two })).toEqual([])
})

test('production requires a callback secret of at least 32 characters', () => {
  expect(refused({ QR_NETWORK_CALLBACK_SECRET: 'x' })).toEqual(['QR_NETWORK_CALLBACK_SECRET'])
  expect(refused({ QR_NETWORK_CALLBACK_SECRET: 'x'.repeat(31) })).toHaveLength(1)
  expect(refused({ QR_NETWORK_CALLBACK_SECRET: '0123456789abcdef'.repeat(2) })).toEqual([])
})
