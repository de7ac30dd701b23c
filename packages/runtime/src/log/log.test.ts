import { type Timer, Unavailable } from '@quipu/core'
import { expect, test } from 'vitest'
import { jsonLog, logAlert } from './log.ts'

function written(): {
  lines: () => Record<string, unknown>[]
  log: ReturnType<typeof jsonLog>
  /** Ends every pause that has begun. */
  pass: () => Promise<void>
} {
  const lines: string[] = []
  const waits: (() => void)[] = []
  const timer: Timer = () => {
    const { promise: done, resolve } = Promise.withResolvers<void>()
    waits.push(resolve)
    return { done, cancel: () => undefined }
  }
  const log = jsonLog('info', { write: (line) => void lines.push(line) }, timer)
  return {
    log,
    lines: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    pass: async () => {
      for (const end of waits.splice(0)) end()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

test('keys, secrets, QR contents and account numbers never reach a line', () => {
  const { log, lines } = written()
  log.info({
    'x-api-key': 'qpu_test_1',
    headers: { authorization: 'Bearer 1' },
    body: { qr: { content: 'raw' }, bank_transfer: { account_number: '123456' } },
    endpoint: { secret: 'whsec_1', token: 'tok_1' },
  })
  const [line] = lines()
  expect(JSON.stringify(line)).not.toMatch(/qpu_test_1|Bearer 1|raw|123456|whsec_1|tok_1/)
})

test('an error line has the message, the code and the cause, and nothing else of the error', () => {
  const { log, lines } = written()
  const cause = Object.assign(new Error('connection refused'), {
    code: 'ECONNREFUSED',
    rows: ['x'],
  })
  log.error({ err: new Error('gone', { cause }) }, 'failed')
  expect(lines()).toMatchObject([
    { level: 'error', err: { message: 'gone', cause: { code: 'ECONNREFUSED' } } },
  ])
  expect(JSON.stringify(lines())).not.toContain('rows')
})

test('an alert is an error line whose member `alert` is its code', () => {
  const { log, lines } = written()
  const about = { tenantId: 'ten_1', subject: 'po_1', detail: 'the hold is kept' }
  logAlert(log)({ code: 'PAID_WRONG_AMOUNT', ...about })
  expect(lines()).toMatchObject([
    { level: 'error', alert: 'PAID_WRONG_AMOUNT', tenant_id: 'ten_1', subject: 'po_1' },
  ])
})

test('a known `Unavailable` has its cause and no stack, whichever line it is in', () => {
  const { log, lines } = written()
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  log.error({ err: new Unavailable('store', 'the database does not answer', { cause }) }, 'failed')
  expect(lines()).toMatchObject([{ err: { type: 'Unavailable', cause: { code: 'ECONNREFUSED' } } }])
  expect(JSON.stringify(lines())).not.toContain('stack')
  log.error({ err: new Error('a bug') }, 'failed')
  expect(JSON.stringify(lines())).toContain('stack')
})

test('a line that repeats is written ten times in ten seconds, and then counted', async () => {
  const { log, lines, pass } = written()
  const fail = (): void => log.error({ err: new Error('a bug') }, 'background work failed')
  for (let times = 0; times < 1_000; times++) fail()
  expect(lines()).toHaveLength(10)
  await pass()
  expect(lines().slice(10)).toMatchObject([
    { level: 'error', suppressed: 990, line: 'background work failed' },
  ])
  fail()
  await pass()
  expect(lines()).toHaveLength(12)
})

test('lines of other errors, of children and of requests are counted apart, and alerts are never left out', () => {
  const { log, lines } = written()
  const child = log.child({ part: 'worker' })
  for (let times = 0; times < 20; times++) {
    log.error({ err: new Error('a bug') }, 'a')
    log.error({ err: new TypeError('another') }, 'a')
    log.warn('a')
    child.error({ err: new Error('a bug') }, 'a')
    log.info({ status: 200 })
    logAlert(log)({ code: 'WEBHOOK_PAUSED', tenantId: 't', subject: String(times), detail: '' })
  }
  const count = (of: (line: Record<string, unknown>) => boolean): number =>
    lines().filter(of).length
  expect(count((line) => line['level'] === 'info')).toBe(20)
  expect(count((line) => 'alert' in line)).toBe(20)
  expect(count((line) => line['level'] === 'warn')).toBe(10)
  expect(count((line) => 'err' in line)).toBe(20)
})
