import { expect, test } from 'vitest'
import { jsonLog, logAlarm } from './log.ts'

function written(): { lines: () => Record<string, unknown>[]; log: ReturnType<typeof jsonLog> } {
  const lines: string[] = []
  const log = jsonLog('info', { write: (line) => void lines.push(line) })
  return { log, lines: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
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

test('an incident is an error line with its code as `alarm`', () => {
  const { log, lines } = written()
  const about = { tenantId: 'ten_1', subject: 'po_1', detail: 'the hold is kept' }
  logAlarm(log)({ code: 'PAID_WRONG_AMOUNT', ...about })
  expect(lines()).toMatchObject([
    { level: 'error', alarm: 'PAID_WRONG_AMOUNT', tenant_id: 'ten_1', subject: 'po_1' },
  ])
})
