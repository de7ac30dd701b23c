import { expect, test } from 'vitest'
import { redactId, redactPath } from './redact.ts'

/** Keys and tokens without a prefix of Quipu, short enough to be an id in a path. */
const key = 'a-callers-key-17'
const headers = [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }]

test.each(headers)('a segment that contains the presented key is redacted: %j', (presented) => {
  for (const segment of [key, `po_${key}`, `${key}.json`])
    expect(redactPath(`/v1/payouts/${segment}/end`, presented)).toBe('/v1/payouts/[redacted]/end')
  expect(redactPath('/v1/payouts/po_1234567890123456', presented)).toBe('/v1/payouts/po_1234567890123456')
})

test.each(headers)('a request id that contains the presented key is redacted: %j', (presented) => {
  expect(redactId(`call-${key}`, presented)).toBe('[redacted]')
  expect(redactId('call-1', presented)).toBe('call-1')
})
