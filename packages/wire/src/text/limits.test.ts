import { defaultRetryPolicy, usdt } from '@quipu/core'
import { describe, expect, test } from 'vitest'
import { httpErrors } from '../error/http-errors.ts'
import { defaultLimits, retryTimeText } from './limits.ts'
import { amountText, durationText } from './number-text.ts'
import { publicOpenApi } from '../document/public.ts'

const textOf = (...options: Parameters<typeof publicOpenApi>): string => JSON.stringify(publicOpenApi(...options))

const byDefault = [
  `At most ${defaultLimits.endpoints.endpointsPerTenant} endpoints.`,
  'in the last 7 days',
  'At most 5 secrets are valid at once.',
  'attempted 8 times within 64 minutes',
  'After 5 events in a row',
]

describe('the document', () => {
  test('spec §6, §8: states the limits of the core by default', () => {
    const text = textOf()
    for (const statement of byDefault) expect(text).toContain(statement)
    for (const statement of [
      'At most 100.00 at once; 60 seconds between requests; 10 requests and 1,000.00 in 24 hours',
      'Answer 2xx within 10 seconds',
      'older than 300 seconds',
      '(1 to 100, default 50)',
    ])
      expect(text).toContain(statement)
  })

  test('states the limits of the host that serves it, and no others', () => {
    const text = textOf({
      limits: {
        endpoints: { endpointsPerTenant: 3, secretsPerEndpoint: 4, pauseAfter: 9, redeliverSeconds: 14 * 86_400 },
        retries: { attempts: 3, firstDelaySeconds: 30, maxDelaySeconds: 45 },
      },
    })
    for (const statement of [
      'At most 3 endpoints.',
      'in the last 14 days',
      'At most 4 secrets are valid at once.',
      'attempted 3 times within 2 minutes',
      'After 9 events in a row',
    ])
      expect(text).toContain(statement)
    for (const statement of byDefault) expect(text).not.toContain(statement)
  })
})

test('spec §8: messages state the limits that they enforce', () => {
  expect(httpErrors.FAUCET_AMOUNT_TOO_LARGE.message).toContain('at most 100.00 at once')
  expect(httpErrors.FAUCET_TOO_SOON.message).toContain('once in 60 seconds')
  expect(httpErrors.FAUCET_LIMIT_EXCEEDED.message).toContain('for 24 hours')
  expect(httpErrors.BODY_TOO_LARGE.message).toContain('64 KiB')
})

test.each([
  [30, '30 seconds'],
  [60, '60 seconds'],
  [90, '90 seconds'],
  [120, '2 minutes'],
  [86_400, '24 hours'],
  [172_800, '2 days'],
  [31_536_000, '365 days'],
  [315_360_000, '10 years'],
])('%i s is written as %s', (seconds, text) => expect(durationText(seconds)).toBe(text))

test.each([
  [100_000_000n, '100.00'],
  [1_000_000_000n, '1,000.00'],
  [1_234_567_500_000n, '1,234,567.50'],
  [500n, '0.000500'],
])('%i micro-USDT is written as %s', (minor, text) => expect(amountText(usdt(minor))).toBe(text))

test('a policy of one attempt has no delay', () => {
  expect(retryTimeText({ ...defaultLimits.retries, attempts: 1 }, 'en')).toBe('0 seconds')
  expect(retryTimeText(defaultRetryPolicy, 'en')).toBe('64 minutes')
})
