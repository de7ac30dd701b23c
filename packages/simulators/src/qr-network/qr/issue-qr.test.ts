import { expect, test } from 'vitest'
import { startFixture } from '../qr-network.fixture.ts'

test('the network issues test QRs over HTTP', async () => {
  const { ask } = await startFixture()
  const { status, body } = await ask('POST', '/v1/sandbox/qr-codes', {
    amount_mode: 'closed',
    amount: '7.5',
    merchant_name: 'Café',
    description: 'Dos cafés',
    scenario: 'late',
  })
  expect(status).toBe(201)
  expect(body).toEqual({
    content: expect.stringMatching(/\|5A0D/) as string,
    amount_mode: 'closed',
    amount: '7.50',
    currency: 'BOB',
    merchant: { name: 'Café', bank_code: '1016' },
    description: 'Dos cafés',
    scenario: 'late',
    expires_at: '2026-11-22T12:00:00.000Z',
  })
})

test.each([
  ['no mode', {}],
  ['another mode', { amount_mode: 'half' }],
  ['closed without an amount', { amount_mode: 'closed' }],
  ['open with an amount', { amount_mode: 'open', amount: '1.00' }],
  ['an amount of zero', { amount_mode: 'closed', amount: '0.00' }],
  ['three fraction digits', { amount_mode: 'closed', amount: '1.001' }],
  ['a JSON number', { amount_mode: 'closed', amount: 1 }],
  ['a merchant of 41 bytes', { amount_mode: 'open', merchant_name: `${'x'.repeat(39)}ñ` }],
  ['a description of 61 bytes', { amount_mode: 'open', description: 'x'.repeat(61) }],
  ['a lone surrogate', { amount_mode: 'open', description: '\ud800' }],
  ['an empty merchant', { amount_mode: 'open', merchant_name: '' }],
  ['an unknown scenario', { amount_mode: 'open', scenario: 'magic' }],
  ['an unknown member', { amount_mode: 'open', colour: 'red' }],
])('issuing with %s is a 400', async (_what, body) => {
  const { ask } = await startFixture()
  expect((await ask('POST', '/v1/sandbox/qr-codes', body)).status).toBe(400)
})
