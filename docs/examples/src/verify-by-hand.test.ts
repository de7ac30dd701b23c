import { verifyWebhook } from '@quipu/client'
import { defaultToleranceSeconds, signWebhook } from '@quipu/core'
import { expect, test } from 'vitest'
import { isFromQuipu } from './verify-by-hand.ts'

const body = Buffer.from('{"id":"01a1fdd0-3d34-7c0f-ba8e-56a535c9bc33","type":"webhook.test","data":{"note":"ñ 💸"}}')
const secret = 'whsec_1'
const signed = (secrets: readonly string[], agoSeconds = 0): string =>
  signWebhook(secrets, body, new Date(Date.now() - agoSeconds * 1000))
const stale = signed([secret], defaultToleranceSeconds + 2)

test('the verifier accepts signatures of the service, also during a rotation', () => {
  expect(isFromQuipu(secret, signed([secret]), body)).toBe(true)
  expect(isFromQuipu(secret, signed(['whsec_2', secret]), body)).toBe(true)
})

test('it and the client accept a signature as long as the core', async () => {
  const verified = (header: string) => verifyWebhook(body, { 'X-Service-Signature': header }, secret)
  const last = signed([secret], defaultToleranceSeconds - 2)
  expect(isFromQuipu(secret, last, body)).toBe(true)
  expect(await verified(last)).toEqual(JSON.parse(String(body)))
  await expect(verified(stale)).rejects.toMatchObject({ reason: 'stale' })
})

test.each([
  ['of another secret', signed(['whsec_2']), body],
  ['stale', stale, body],
  ['from the future', signed([secret], -defaultToleranceSeconds - 2), body],
  ['of another body', signed([secret]), Buffer.from(`${String(body)} `)],
  ['of no time', signed([secret]).replace(/t=\d+/, 't='), body],
  ['of nothing', '', body],
  ['cut short', signed([secret]).slice(0, -2), body],
])('a signature %s is not', (_, header, given) => {
  expect(isFromQuipu(secret, header, given)).toBe(false)
})

test('an empty secret is refused', () => {
  expect(() => isFromQuipu('', signed(['']), body)).toThrow(TypeError)
})
