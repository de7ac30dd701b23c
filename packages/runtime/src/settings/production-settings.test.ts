import { expect, test } from 'vitest'
import { z } from 'zod'
import { jsonLog } from '../log/log.ts'
import { logOverrides, productionIssues, productionSettings, type ProductionOverride } from './production-settings.ts'
import { readSettings } from './settings.ts'

const bytesFrom = (from: number) => Uint8Array.from({ length: 32 }, (_, n) => from + n)
const [key, otherKey] = [bytesFrom(0), bytesFrom(32)]
const ENVIRONMENT = 'production'
const overrides = (...PRODUCTION_OVERRIDES: ProductionOverride[]) => ({ PRODUCTION_OVERRIDES })

test.each([
  'QR_NETWORK_URL',
  'TRON_NODE_URL',
  'TRON_SOLIDITY_NODE_URL',
  'TRON_VERIFIER_URL',
  'TRON_VERIFIER_SOLIDITY_URL',
])('production refuses %s with plain http unless overridden', (variable) => {
  const settings = { [variable]: 'http://node.example' }
  expect(productionIssues({ ENVIRONMENT, ...settings })).toEqual([
    { variable, message: 'must begin with https:// in production, unless PRODUCTION_OVERRIDES has plain-http' },
  ])
  expect(productionIssues({ ENVIRONMENT, ...settings, ...overrides('plain-http') })).toEqual([])
  expect(productionIssues({ ENVIRONMENT: 'sandbox', ...settings })).toEqual([])
  expect(productionIssues({ ENVIRONMENT, [variable]: 'https://node.example' })).toEqual([])
})

test('production refuses a second provider on the host of the first', () => {
  const settings = { TRON_NODE_URL: 'https://node.example/one', TRON_VERIFIER_URL: 'https://NODE.example/two' }
  expect(productionIssues({ ENVIRONMENT, ...settings })).toEqual([
    { variable: 'TRON_VERIFIER_URL', message: 'must be of another provider than TRON_NODE_URL in production' },
  ])
  const solid = {
    TRON_NODE_URL: 'https://node.example',
    TRON_SOLIDITY_NODE_URL: 'https://solid.example',
    TRON_VERIFIER_URL: 'https://verifier.example',
    TRON_VERIFIER_SOLIDITY_URL: 'https://solid.example',
  }
  expect(productionIssues({ ENVIRONMENT, ...solid })).toMatchObject([{ variable: 'TRON_VERIFIER_SOLIDITY_URL' }])
})

const ringOf = (of: Uint8Array) => [{ id: '1', key: of }]

test('production refuses keys that are not random and a secret that is used twice', () => {
  const message = 'must be random in production: openssl rand -hex 32'
  const zero = new Uint8Array(32)
  const pattern = new Uint8Array(32).fill(0x0f)
  expect(
    productionIssues({
      ENVIRONMENT,
      ADDRESS_MAC_KEY: ringOf(zero),
      WEBHOOK_SECRET_KEY: [...ringOf(key), ...ringOf(pattern)],
    }),
  ).toEqual([
    { variable: 'ADDRESS_MAC_KEY', message },
    { variable: 'WEBHOOK_SECRET_KEY', message },
  ])
  const keys = { ADDRESS_MAC_KEY: ringOf(key), WEBHOOK_SECRET_KEY: ringOf(otherKey) }
  expect(productionIssues({ ENVIRONMENT, ...keys })).toEqual([])
  const same = { ADDRESS_MAC_KEY: ringOf(key), WEBHOOK_SECRET_KEY: [...ringOf(otherKey), ...ringOf(key)] }
  expect(productionIssues({ ENVIRONMENT, ...same })).toEqual([
    { variable: 'WEBHOOK_SECRET_KEY', message: 'must differ from ADDRESS_MAC_KEY in production: openssl rand -hex 32' },
  ])
  const otherKeyText = '0123456789abcdef'.repeat(2)
  const texts = { QR_NETWORK_TOKEN: otherKeyText, QR_NETWORK_CALLBACK_SECRET: otherKeyText }
  expect(productionIssues({ ENVIRONMENT, ...texts })).toMatchObject([{ variable: 'QR_NETWORK_CALLBACK_SECRET' }])
})

test('an unknown override is refused; the message lists the known ones', () => {
  const read = (PRODUCTION_OVERRIDES: string) => readSettings(z.object(productionSettings), { PRODUCTION_OVERRIDES })
  expect(read('plain-http, limits-off')).toEqual(overrides('plain-http', 'limits-off'))
  expect(() => read('plain-http,everything')).toThrow(
    'must be a list of plain-http, fixed-rate, one-rate-source, no-rate-band, one-person, unverified-openhub, weak-token, limits-off, open-operator-host, separated by commas',
  )
})

test('production logs each override at start', () => {
  const lines: unknown[] = []
  const log = jsonLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
  logOverrides(log, { ENVIRONMENT: 'sandbox', ...overrides('fixed-rate') })
  logOverrides(log, { ENVIRONMENT, ...overrides('fixed-rate') })
  expect(lines).toEqual([
    expect.objectContaining({
      level: 'warn',
      override: 'fixed-rate',
      msg: 'production allows RATE_SOURCE=fixed; to refuse it, remove fixed-rate from PRODUCTION_OVERRIDES',
    }),
  ])
})

test.each(['x', 'a'.repeat(64), 'abab'.repeat(16), '0123456789abcde'])(
  'production refuses the token %j of the network, which an override allows and logs',
  (QR_NETWORK_TOKEN) => {
    const live = { ENVIRONMENT: 'production', QR_NETWORK_TOKEN } as const
    expect(productionIssues(live)).toMatchObject([{ variable: 'QR_NETWORK_TOKEN' }])
    expect(productionIssues({ ...live, PRODUCTION_OVERRIDES: ['weak-token'] })).toEqual([])
    expect(productionIssues({ ...live, ENVIRONMENT: 'sandbox' })).toEqual([])
  },
)

test('production refuses a notice secret of a pattern, whatever the overrides', () => {
  const live = { ENVIRONMENT: 'production', TENANT_NOTICE_SECRET: 'a'.repeat(32) } as const
  const overridden = { ...live, PRODUCTION_OVERRIDES: ['weak-token'] as const }
  expect(productionIssues(overridden)).toMatchObject([{ variable: 'TENANT_NOTICE_SECRET' }])
})
