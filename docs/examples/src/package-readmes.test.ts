import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test.each([
  ['core', 'quote-in-memory.ts', '10.203353 USDT\n'],
  ['memory', 'late-payment.ts', 'pending paid\n'],
])('the README of %s has a program with the documented output', async (_, program, output) => {
  const file = path.join(import.meta.dirname, program)
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=source', file])
  expect(stdout).toBe(output)
})
