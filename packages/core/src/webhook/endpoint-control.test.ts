import { expect, test } from 'vitest'
import { auditEndpointPause, auditEndpointResumption, auditResend } from './endpoint-control.ts'
import { originOf } from '../audit/operator.fixture.ts'

const at = new Date('2026-11-21T12:00:00.000Z')
const endpoint = { id: 'we_1', tenantId: 'ten_1' }

test('the audit entry of a pause has its reason, and the status before', () => {
  const pause = { by: 'ana', at, reason: 'Its host asked us to stop.' }
  expect(auditEndpointPause({ ...endpoint, status: 'active' }, pause, originOf('ana'))).toEqual({
    ...originOf('ana'),
    action: 'webhook.pause',
    tenantId: 'ten_1',
    subject: 'we_1',
    before: { status: 'active' },
    after: { status: 'paused', reason: 'Its host asked us to stop.' },
    at,
  })
})

test('the audit entry of a resumption has a reason only if one was given', () => {
  const paused = { ...endpoint, status: 'paused' } as const
  expect(auditEndpointResumption(paused, { by: 'ben', at, reason: null }, originOf('ben'))).toEqual({
    ...originOf('ben'),
    action: 'webhook.resume',
    tenantId: 'ten_1',
    subject: 'we_1',
    before: { status: 'paused' },
    after: { status: 'active' },
    at,
  })
  expect(auditEndpointResumption(paused, { by: 'ben', at, reason: 'It answers.' }, originOf('ben')).after).toEqual({
    status: 'active',
    reason: 'It answers.',
  })
})

test('the audit entry of a resend names the endpoint and the event', () => {
  expect(auditResend('ten_1', { endpointId: 'we_1', eventId: 'ev-1' }, { by: 'ana', at }, originOf('ana'))).toEqual({
    ...originOf('ana'),
    action: 'webhook.resend',
    tenantId: 'ten_1',
    subject: 'we_1',
    before: null,
    after: { event_id: 'ev-1' },
    at,
  })
})
