import { expect, test } from 'vitest'
import { redactId, redactPath } from './redact.ts'

/** Keys and tokens without a prefix of Quipu, short enough to be an id in a path. */
const key = 'a-callers-key-17'
const headers = [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }, { cookie: `a=b; quipu_session=${key}` }]

test.each(headers)('a segment that contains the presented key is redacted: %j', (presented) => {
  for (const segment of [key, `po_${key}`, `${key}.json`])
    expect(redactPath(`/v1/payouts/${segment}/end`, presented)).toBe('/v1/payouts/[redacted]/end')
  expect(redactPath('/v1/payouts/po_1234567890123456', presented)).toBe('/v1/payouts/po_1234567890123456')
})

test.each(headers)('a request id that contains the presented key is redacted: %j', (presented) => {
  expect(redactId(`call-${key}`, presented)).toBe('[redacted]')
  expect(redactId('call-1', presented)).toBe('call-1')
})

test('a request id that may be a token or a key without its prefix is redacted, and no usual id is', () => {
  for (const id of ['0af7'.repeat(16), '0AF7'.repeat(10), `call-${'0af7'.repeat(10)}`])
    expect(redactId(id, {})).toBe('[redacted]')
  for (const id of ['0af7651916cd43dd8448eb211c80319c', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'])
    expect(redactId(id, {})).toBe(id)
})
