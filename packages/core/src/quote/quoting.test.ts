import { expect, test } from 'vitest'
import { auditQuoting } from './quoting.ts'
import { originOf } from '../audit/operator.fixture.ts'

const at = new Date('2026-11-21T12:00:00.000Z')

test('the audit entry of a pause has its reason, and what was before', () => {
  expect(auditQuoting('paused', { by: 'ana', at, reason: 'The sources are wrong.' }, originOf('ana'))).toEqual({
    ...originOf('ana'),
    action: 'quoting.pause',
    tenantId: null,
    subject: 'quoting',
    before: { status: 'open' },
    after: { status: 'paused', reason: 'The sources are wrong.' },
    at,
  })
})

test('the audit entry of a resumption has no reason', () => {
  expect(auditQuoting('open', { by: 'omar', at, reason: null }, originOf('omar'))).toEqual({
    ...originOf('omar'),
    action: 'quoting.resume',
    tenantId: null,
    subject: 'quoting',
    before: { status: 'paused' },
    after: { status: 'open' },
    at,
  })
})
