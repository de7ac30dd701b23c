import { describe, expect, test } from 'vitest'
import type { Alert } from '../alert.ts'
import type { AuditRecord } from '../audit/ports.ts'
import type { ClaimedNotice, NoticeResult } from './ports.ts'
import { sendNotice } from './send-notice.ts'
import { originOf } from '../audit/operator.fixture.ts'

const entry: AuditRecord = {
  id: 42n,
  hash: '0'.repeat(64),
  ...originOf('ana'),
  action: 'tenant.update',
  tenantId: 'ten_1',
  subject: 'ten_1',
  at: new Date('2026-11-20T10:00:00.000Z'),
  before: { contact_name: 'Eva', contact_email: 'eva@tenant.example' },
  after: { contact_name: 'Iva', contact_email: 'eva@tenant.example' },
}
const contact = { name: 'Iva', email: 'eva@tenant.example' }
const claimed: ClaimedNotice = { claim: { fencingToken: 7 }, failedAttempts: 0, source: { entry, key: null, contact } }
const notice = {
  id: 'ntc_42',
  type: 'technical_contact.changed',
  tenantId: 'ten_1',
  occurredAt: entry.at,
  recipients: [contact],
  key: null,
}

/** Sends the notice to a gateway that answers `result`, and what was written and raised. */
async function sent(
  result: NoticeResult,
  {
    failedAttempts = 0,
    jitter = 0,
    recorded = 'committed',
  }: { failedAttempts?: number; jitter?: number; recorded?: 'committed' | 'stale' } = {},
) {
  const calls: unknown[] = []
  const alerts: Alert[] = []
  const write =
    (name: string) =>
    async (...args: unknown[]) => {
      calls.push([name, ...args])
      return recorded
    }
  const send = sendNotice(
    {
      notices: {
        claim: async (leaseSeconds) => {
          calls.push(['claim', leaseSeconds])
          return { ...claimed, failedAttempts }
        },
        accept: write('accept'),
        retry: write('retry'),
      },
      sender: {
        send: async (message) => {
          calls.push(['send', message.id])
          return result
        },
      },
      random: (size) => new Uint8Array(size).fill(jitter),
      raiseAlert: (alert) => void alerts.push(alert),
    },
    { leaseSeconds: 60 },
  )
  return { answer: await send(), calls, alerts }
}
const before = [
  ['claim', 60],
  ['send', 'ntc_42'],
]
const { claim } = claimed

describe('a failed attempt', () => {
  const failed = { type: 'failed', detail: 'no answer' } as const

  test.each([
    [0, 0, 30_000],
    [0, 128, 31_500],
    [0, 255, 32_988],
    [1, 128, 63_000],
    [3, 0, 240_000],
    [4, 0, 300_000],
    [1_000, 128, 315_000],
  ])('after %i others with the random byte %i is repeated in %i ms', async (failedAttempts, jitter, inMs) => {
    const { answer, calls, alerts } = await sent(failed, { failedAttempts, jitter })
    expect(answer).toEqual({ ...failed, message: notice, inMs })
    expect(calls).toEqual([...before, ['retry', claim, inMs]])
    expect(alerts).toEqual([])
  })
})

test.each<NoticeResult>([
  { type: 'accepted' },
  { type: 'refused', detail: 'no such address' },
  { type: 'failed', detail: 'no answer' },
])('an attempt that is $type after its lease has ended is stale', async (result) => {
  const { answer } = await sent(result, { recorded: 'stale' })
  expect(answer).toEqual({ type: 'stale', message: notice })
})
