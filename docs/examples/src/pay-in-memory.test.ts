import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test.each([
  [
    'a QR is paid in memory',
    'pay-in-memory.ts',
    /^po_\w{26} completed 10\.203353 USDT\n\{.*"type":"payout\.completed".*\}\n$/,
  ],
  ['the README of core prices a QR', 'quote-in-memory.ts', /^10\.203353 USDT\n$/],
  ['the README of memory shows a late payment', 'late-payment.ts', /^pending paid\n$/],
])('%s', async (_, program, output) => {
  const file = path.join(import.meta.dirname, program)
  expect((await promisify(execFile)(process.execPath, ['--conditions=source', file])).stdout).toMatch(output)
})
