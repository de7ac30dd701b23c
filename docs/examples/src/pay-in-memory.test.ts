import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const file = fileURLToPath(new URL('pay-in-memory.ts', import.meta.url))

test('a QR is paid in memory and recorded as an event', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=source', file])
  const [said = '', event = ''] = stdout.split('\n')
  expect(said).toMatch(/^po_\w{26} completed 10\.203353 USDT$/)
  expect(JSON.parse(event)).toMatchObject({
    type: 'payout.completed',
    event_version: 1,
    data: { transaction_id: 'order-1', status: 'completed', target: { amount: '100.00' } },
  })
})
