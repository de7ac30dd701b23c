import { tenantEventTypes } from '@quipu/core'
import { describe, expect, test } from 'vitest'
import type { Parsed } from '../json/parsed.ts'
import { parseRotateSecret, parseWebhookPatch, parseWebhookRequest } from './webhook-request.ts'

const url = 'https://example.com/quipu'
const fieldsOf = (parsed: Parsed<unknown>): string[] => (parsed.ok ? [] : parsed.issues.map(({ field }) => field))

describe('POST /v1/webhooks', () => {
  test('a URL alone registers for all event types', () => {
    expect(parseWebhookRequest({ url })).toEqual({ ok: true, value: { url, events: null, description: null } })
  })

  test('reads a list of event types and a description', () => {
    const events = ['deposit.credited', 'payout.failed']
    expect(parseWebhookRequest({ url, events, description: 'orders' })).toEqual({
      ok: true,
      value: { url, events, description: 'orders' },
    })
  })

  test('accepts webhook.test in the list and leaves it out of the filter', () => {
    const events = ['webhook.test', 'payout.failed']
    expect(parseWebhookRequest({ url, events })).toMatchObject({ value: { events: ['payout.failed'] } })
  })

  test('`*` beside a type by name only stands for the other types of today', () => {
    const byName = 'wallet.balance_low'
    const read = parseWebhookRequest({ url, events: ['*', byName, 'payout.failed'] })
    const others = tenantEventTypes.filter((type) => !type.startsWith('wallet.'))
    expect(read).toMatchObject({ value: { events: [...others, byName] } })
    expect(parseWebhookRequest({ url, events: ['*', 'payout.failed'] })).toMatchObject({ value: { events: null } })
  })
})

describe('PATCH /v1/webhooks/{id}', () => {
  test('reads the members that are present, and no others', () => {
    expect(parseWebhookPatch({ url })).toEqual({ ok: true, value: { url } })
    expect(parseWebhookPatch({ events: ['payout.failed'] })).toEqual({ ok: true, value: { events: ['payout.failed'] } })
  })

  test('reads * as every type, and null as what does not change', () => {
    expect(parseWebhookPatch({ url: null, events: ['*'], description: null })).toEqual({
      ok: true,
      value: { events: null },
    })
  })

  test('leaves webhook.test out of the filter', () => {
    const events = ['webhook.test', 'payout.failed']
    expect(parseWebhookPatch({ events })).toMatchObject({ value: { events: ['payout.failed'] } })
  })
})

describe('POST /v1/webhooks/{id}/rotate-secret', () => {
  test.each([
    ['no body', undefined, 86_400],
    ['no members', {}, 86_400],
    ['none at all', { grace_seconds: 0 }, 0],
    ['null', { grace_seconds: null }, 86_400],
    ['a week', { grace_seconds: 604_800 }, 604_800],
  ])('the grace with %s', (_, body, graceSeconds) => {
    expect(parseRotateSecret(body)).toEqual({ ok: true, value: { graceSeconds } })
  })

  test('refuses a null body, which is not an absent one', () => {
    expect(fieldsOf(parseRotateSecret(null))).toEqual(['body'])
  })
})
