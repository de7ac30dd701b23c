import { type Timer, Unavailable } from '@quipu/core'
import { inWorkSpan } from '@quipu/tracing'
import { recordSpans } from '@quipu/tracing/testing'
import { expect, test } from 'vitest'
import { jsonLog, logAlert } from './log.ts'

function testLog(): {
  lines: () => Record<string, unknown>[]
  /** The written text, line by line. */
  texts: readonly string[]
  log: ReturnType<typeof jsonLog>
  /** Ends every running timer. */
  endPeriod: () => Promise<void>
} {
  const texts: string[] = []
  const waits: (() => void)[] = []
  const timer: Timer = () => {
    const { promise: done, resolve } = Promise.withResolvers<void>()
    waits.push(resolve)
    return { done, cancel: () => undefined }
  }
  const log = jsonLog('info', { write: (line) => void texts.push(line) }, timer)
  return {
    log,
    texts,
    lines: () => texts.map((line) => JSON.parse(line) as Record<string, unknown>),
    endPeriod: async () => {
      for (const end of waits.splice(0)) end()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

test('keys, secrets, QR contents and account numbers are redacted', () => {
  const { log, lines } = testLog()
  log.info({
    'x-api-key': 'qpu_test_1',
    headers: { authorization: 'Bearer 1' },
    body: { qr: { content: 'raw' }, bank_transfer: { account_number: '123456' } },
    endpoint: { secret: 'whsec_1', token: 'tok_1' },
  })
  const [line] = lines()
  expect(JSON.stringify(line)).not.toMatch(/qpu_test_1|Bearer 1|raw|123456|whsec_1|tok_1/)
})

test('an error is logged with message, code and cause, and no other members', () => {
  const { log, lines } = testLog()
  const cause = Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED', rows: ['x'] })
  log.error({ err: new Error('gone', { cause }) }, 'failed')
  expect(lines()).toMatchObject([{ level: 'error', err: { message: 'gone', cause: { code: 'ECONNREFUSED' } } }])
  expect(JSON.stringify(lines())).not.toContain('rows')
})

test('an error of the database is logged without the values of its row', () => {
  const { log, lines } = testLog()
  const values = { detail: 'Key (hash)=(f00d) already exists.', where: 'f00d', parameters: ['f00d'] }
  const error = Object.assign(new Error('duplicate key'), { code: '23505', ...values })
  log.error({ err: error }, 'failed')
  expect(Object.keys(lines()[0]?.['err'] ?? {})).toEqual(['type', 'message', 'code', 'stack'])
  expect(JSON.stringify(lines())).not.toContain('f00d')
})

test('a text with line breaks stays within its line', () => {
  const { log, texts } = testLog()
  const forged = 'shop\r\n{"level":"error","alert":"LEDGER_DIFFERENCE"}\u2028\u001B[2J'
  log.info({ merchant: forged }, forged)
  expect(texts).toHaveLength(1)
  expect(texts[0]).toMatch(/^[^\r\n\u001B]*\n$/)
})

test('an alert is an error line whose member `alert` is its code, and `runbook` the section about it', () => {
  const { log, lines } = testLog()
  const about = { tenantId: 'ten_1', subject: 'po_1', detail: 'the hold is kept' }
  logAlert(log)({ code: 'PAID_WRONG_AMOUNT', ...about })
  expect(lines()).toMatchObject([
    {
      level: 'error',
      alert: 'PAID_WRONG_AMOUNT',
      tenant_id: 'ten_1',
      subject: 'po_1',
      runbook: 'docs/operations/alerts.md#paid_wrong_amount',
    },
  ])
})

test('`Unavailable` is logged with its cause and without a stack; other errors have one', () => {
  const { log, lines } = testLog()
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  log.error({ err: new Unavailable('store', 'the database does not answer', { cause }) }, 'failed')
  expect(lines()).toMatchObject([{ err: { type: 'Unavailable', cause: { code: 'ECONNREFUSED' } } }])
  expect(JSON.stringify(lines())).not.toContain('stack')
  log.error({ err: new Error('a bug') }, 'failed')
  expect(JSON.stringify(lines())).toContain('stack')
})

test('a repeated line is written ten times in ten seconds, and then counted', async () => {
  const { log, lines, endPeriod } = testLog()
  const fail = (): void => log.error({ err: new Error('a bug') }, 'background work failed')
  for (let times = 0; times < 1_000; times++) fail()
  expect(lines()).toHaveLength(10)
  await endPeriod()
  expect(lines().slice(10)).toMatchObject([{ level: 'error', suppressed: 990, line: 'background work failed' }])
  fail()
  await endPeriod()
  expect(lines()).toHaveLength(12)
})

test('lines are limited by level, text and error; requests and alerts are never suppressed', () => {
  const { log, lines } = testLog()
  const child = log.child({ part: 'worker' })
  for (let times = 0; times < 20; times++) {
    log.error({ err: new Error('a bug') }, 'a')
    log.error({ err: new TypeError('another') }, 'a')
    log.warn('a')
    child.error({ err: new Error('a bug') }, 'a')
    log.info({ status: 200 })
    logAlert(log)({ code: 'WEBHOOK_PAUSED', tenantId: 't', subject: String(times), detail: '' })
  }
  const count = (matches: (line: Record<string, unknown>) => boolean): number => lines().filter(matches).length
  expect(count((line) => line['level'] === 'info')).toBe(20)
  expect(count((line) => 'alert' in line)).toBe(20)
  expect(count((line) => line['level'] === 'warn')).toBe(10)
  expect(count((line) => 'err' in line)).toBe(20)
})

test('lines within a sampled trace have its id', async () => {
  const { log, lines } = testLog()
  const recorded = recordSpans()
  const facts = { scope: 'test', name: 'work', kind: 'internal' } as const
  await inWorkSpan(facts, undefined, async () => {
    log.info('a text')
    log.warn({ count: 1 }, 'members')
    log.error({ trace_id: 'its own' })
  })
  log.info({ count: 2 })
  const [span] = recorded.spans()
  await recorded.stop()
  const members = lines().map((line) => ({ ...line, level: undefined, time: undefined }))
  expect(members).toEqual([
    { trace_id: span?.traceId, msg: 'a text' },
    { trace_id: span?.traceId, count: 1, msg: 'members' },
    { trace_id: 'its own' },
    { count: 2 },
  ])
})
