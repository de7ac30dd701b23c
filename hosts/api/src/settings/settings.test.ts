import { attemptTimeoutSeconds } from '@quipu/core/adapter'
import { BadSettings, readSettings } from '@quipu/runtime'
import { expect, test } from 'vitest'
import { rateSource } from './rate-settings.ts'
import { ApiSettings } from './settings.ts'

const required = {
  DATABASE_URL: 'postgres://quipu@localhost/quipu',
  QR_NETWORK_URL: 'http://localhost:4004',
  QR_NETWORK_TOKEN: 'token',
  RATE_SOURCE: 'fixed',
  RATE_BID: '9.9500',
}

const read = (more: Record<string, string> = {}): ApiSettings => readSettings(ApiSettings, { ...required, ...more })

function issueLines(more: Record<string, string>): string[] {
  try {
    read(more)
    return []
  } catch (error) {
    if (!(error instanceof BadSettings)) throw error
    return error.message.split('\n').slice(1)
  }
}

test('the message lists every variable that is missing or wrong', () => {
  const env = { PORT: '70000', QUOTE_LIFE_SECONDS: '14', ENVIRONMENT: 'test', RATE_SOURCE: 'fixed' }
  expect(() => readSettings(ApiSettings, env)).toThrow(BadSettings)
  const missing = Object.fromEntries(Object.keys(required).map((name) => [name, '']))
  const lines = issueLines({ ...missing, ...env })
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
  ['DOCS_URL', '/docs'],
  ['OPERATOR_DOCS_URL', 'docs'],
  ['DEFAULT_DESCRIPTION', 'x'.repeat(61)],
  ['LOG_LEVEL', 'loud'],
  ['WEBHOOK_SECRET_KEY', 'secret'],
  ['WEBHOOK_ALLOW_PRIVATE', 'yes'],
  ['WEBHOOK_HEADER_PREFIX', 'X Service '],
  ['WEBHOOK_SOURCE_ADDRESSES', '192.0.2.1,,'],
  ['WEBHOOK_SOURCE_ADDRESSES', 'receiver.example'],
])('%s=%s is refused with its rule', (name, value) => {
  expect(issueLines({ [name]: value })).toEqual([expect.stringMatching(`^  ${name}: .{10,}`)])
})

test('a deadline with webhooks is above the timeout of a test event, as the default is', () => {
  const within = (ANSWER_WITHIN_MS: number) =>
    issueLines({ WEBHOOK_SECRET_KEY: '0f'.repeat(32), ANSWER_WITHIN_MS: String(ANSWER_WITHIN_MS) })
  expect(within(attemptTimeoutSeconds * 1000)).toEqual([expect.stringMatching('^  ANSWER_WITHIN_MS: must be above')])
  expect([...within(attemptTimeoutSeconds * 1000 + 1), ...within(read().ANSWER_WITHIN_MS)]).toEqual([])
})

test('private webhook addresses are refused in production only', () => {
  expect(read({ WEBHOOK_ALLOW_PRIVATE: 'true' }).WEBHOOK_ALLOW_PRIVATE).toBe(true)
  const PRODUCTION_OVERRIDES = 'plain-http,fixed-rate,weak-token'
  const live = { ENVIRONMENT: 'production', DATABASE_STANDBY: 'none', PRODUCTION_OVERRIDES }
  expect(issueLines({ WEBHOOK_ALLOW_PRIVATE: 'true', ...live })).toEqual([
    '  WEBHOOK_ALLOW_PRIVATE: must not be true in production',
  ])
})

const source = { url: 'https://rates.example/usdt', bid_path: 'data.bid', time_path: 'data.time' }
const otherSource = { url: 'https://prices.example/usdt', bid_path: 'buy' }

test.each([
  ['http-json', [], 'RATE_SOURCES'],
  ['http-json', [source, otherSource], 'RATE_SOURCES'],
  ['composite', [source], 'RATE_SOURCES'],
  ['composite', [{ url: 'https://x.example' }, source], 'RATE_SOURCES'],
])('%s with the sources %j is refused', (RATE_SOURCE, sources, name) => {
  const lines = issueLines({ RATE_SOURCE, RATE_SOURCES: JSON.stringify(sources) })
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(line).toMatch(`  ${name}: `)
})

test('RATE_MIN above RATE_MAX is refused', () => {
  const RATE_SOURCES = JSON.stringify([source, otherSource])
  const more = { RATE_SOURCE: 'composite', RATE_SOURCES, RATE_MIN: '12', RATE_MAX: '8' }
  expect(issueLines(more)).toEqual([expect.stringMatching('RATE_MIN')])
})

test.each([
  ['fixed', undefined],
  ['http-json', [source]],
  ['composite', [source, otherSource]],
])('rateSource creates a source of kind %s', async (RATE_SOURCE, sources) => {
  const settings = read({ RATE_SOURCE, ...(sources && { RATE_SOURCES: JSON.stringify(sources) }) })
  const rates = rateSource(settings, () => new Date(0))
  expect(rates.current).toBeTypeOf('function')
  if (!sources) expect(await rates.current()).toMatchObject({ bid: 99_500n, source: 'fixed' })
})

test('every variable has a description', () => {
  for (const [name, schema] of Object.entries(ApiSettings.shape)) {
    expect(schema.description, name).toMatch(/^.{10,}\.$/s)
  }
})
