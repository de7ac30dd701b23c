import { BadSettings, readSettings } from '@quipu/runtime'
import { expect, test } from 'vitest'
import { rateSource } from './rate-settings.ts'
import { ApiSettings } from './settings.ts'

const least = {
  DATABASE_URL: 'postgres://quipu@localhost/quipu',
  QR_NETWORK_URL: 'http://localhost:4004',
  QR_NETWORK_TOKEN: 'token',
  RATE_SOURCE: 'fixed',
  RATE_BID: '9.9500',
}

const read = (more: Record<string, string> = {}): ApiSettings =>
  readSettings(ApiSettings, { ...least, ...more })

function faults(more: Record<string, string>): string[] {
  try {
    read(more)
    return []
  } catch (error) {
    if (!(error instanceof BadSettings)) throw error
    return error.message.split('\n').slice(1)
  }
}

test('the least settings suffice, and the rest has defaults', () => {
  expect(read()).toMatchObject({
    ENVIRONMENT: 'sandbox',
    HOST: '127.0.0.1',
    PORT: 4000,
    OPERATOR_HOST: '127.0.0.1',
    OPERATOR_PORT: 4001,
    QUOTE_LIFE_SECONDS: 60,
    ANSWER_WITHIN_MS: 20_000,
    OPERATOR_TOKENS: [],
    RATE_BID: 99_500n,
  })
})

test('one message lists every variable that is missing or wrong', () => {
  const env = { PORT: '70000', QUOTE_LIFE_SECONDS: '14', ENVIRONMENT: 'test', RATE_SOURCE: 'fixed' }
  expect(() => readSettings(ApiSettings, env)).toThrow(BadSettings)
  const missing = Object.fromEntries(Object.keys(least).map((name) => [name, '']))
  const lines = faults({ ...missing, ...env })
  const names = lines.map((line) => line.trim().split(':')[0])
  expect(names.toSorted()).toEqual([
    'DATABASE_URL',
    'ENVIRONMENT',
    'PORT',
    'QR_NETWORK_TOKEN',
    'QR_NETWORK_URL',
    'QUOTE_LIFE_SECONDS',
    'RATE_BID',
  ])
})

const hash = 'a'.repeat(64)

test.each([
  ['PORT', '-1'],
  ['PORT', '1.5'],
  ['QUOTE_LIFE_SECONDS', '301'],
  ['ANSWER_WITHIN_MS', '10'],
  ['RATE_LIMIT_READS', '0'],
  ['RATE_LIMIT_WRITES', 'none'],
  ['RATE_BID', '0'],
  ['RATE_BID', '9.95001'],
  ['RATE_BID', '-9'],
  ['RATE_SOURCE', 'guess'],
  ['QR_NETWORK_URL', 'ftp://x'],
  ['EXAMPLE_URL', 'ftp://x'],
  ['OPERATOR_TOKENS', 'olivia:admin'],
  ['OPERATOR_TOKENS', `olivia:owner:${hash}`],
  ['OPERATOR_TOKENS', `olivia:admin:${hash},`],
  ['DEFAULT_DESCRIPTION', 'x'.repeat(61)],
  ['LOG_LEVEL', 'loud'],
  ['WEBHOOK_SECRET_KEY', 'secret'],
  ['WEBHOOK_ALLOW_PRIVATE', 'yes'],
  ['WEBHOOK_HEADER_PREFIX', 'X Service '],
])('%s=%s is refused with what is allowed', (name, value) => {
  expect(faults({ [name]: value })).toEqual([expect.stringMatching(`^  ${name}: .{10,}`)])
})

test('webhooks may lead to private addresses for development, and never in production', () => {
  expect(read({ WEBHOOK_ALLOW_PRIVATE: 'true' }).WEBHOOK_ALLOW_PRIVATE).toBe(true)
  const PRODUCTION_OVERRIDES = 'plain-http,fixed-rate'
  const live = { ENVIRONMENT: 'production', PRODUCTION_OVERRIDES }
  expect(faults({ WEBHOOK_ALLOW_PRIVATE: 'true', ...live })).toEqual([
    '  WEBHOOK_ALLOW_PRIVATE: must not be true in production',
  ])
})

test('operator tokens are names, roles and hashes', () => {
  const OPERATOR_TOKENS = `olivia:admin:${hash}, ci.bot:viewer:${'0'.repeat(64)}`
  expect(read({ OPERATOR_TOKENS }).OPERATOR_TOKENS).toEqual([
    { name: 'olivia', role: 'admin', hash },
    { name: 'ci.bot', role: 'viewer', hash: '0'.repeat(64) },
  ])
})

const one = { url: 'https://rates.example/usdt', bid_path: 'data.bid', time_path: 'data.time' }
const another = { url: 'https://prices.example/usdt', bid_path: 'buy' }

test.each([
  ['http-json', [], 'RATE_SOURCES'],
  ['http-json', [one, another], 'RATE_SOURCES'],
  ['composite', [one], 'RATE_SOURCES'],
  ['composite', [{ url: 'https://x.example' }, one], 'RATE_SOURCES'],
])('%s with the sources %j is refused', (RATE_SOURCE, sources, name) => {
  const lines = faults({ RATE_SOURCE, RATE_SOURCES: JSON.stringify(sources) })
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(line).toMatch(`  ${name}: `)
})

test('the lowest bid is not above the highest', () => {
  const RATE_SOURCES = JSON.stringify([one, another])
  const more = { RATE_SOURCE: 'composite', RATE_SOURCES, RATE_MIN: '12', RATE_MAX: '8' }
  expect(faults(more)).toEqual([expect.stringMatching('RATE_MIN')])
})

test.each([
  ['fixed', undefined],
  ['http-json', [one]],
  ['composite', [one, another]],
])('a rate source of kind %s is made', async (RATE_SOURCE, sources) => {
  const settings = read({ RATE_SOURCE, ...(sources && { RATE_SOURCES: JSON.stringify(sources) }) })
  const source = rateSource(settings, () => new Date(0))
  expect(source.current).toBeTypeOf('function')
  if (!sources) expect(await source.current()).toMatchObject({ bid: 99_500n, source: 'fixed' })
})

test('every variable says what it is for', () => {
  for (const [name, schema] of Object.entries(ApiSettings.shape)) {
    expect(schema.description, name).toMatch(/^.{10,}\.$/s)
  }
})
