import { readSettings } from '@quipu/runtime'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { scanSettings, verifierIssues } from './scan-settings.ts'

const read = (env: Record<string, string>) => readSettings(z.object(scanSettings), env)
const address = 'TG3XXyExBkPp9nzdajDZsozEu4BkaSJozs'

test('production requires a second provider when the chain is configured', () => {
  const required = [
    {
      variable: 'TRON_VERIFIER_URL',
      message: 'is required in production with TRON_NODE_URL: a full node of another provider',
    },
  ]
  const live = { ENVIRONMENT: 'production', TRON_NODE_URL: 'https://node.example' } as const
  expect(verifierIssues(live)).toEqual(required)
  expect(verifierIssues({ ...live, TRON_VERIFIER_URL: 'https://other.example' })).toEqual([])
  expect(verifierIssues({ ...live, ENVIRONMENT: 'sandbox' })).toEqual([])
  expect(verifierIssues({ ENVIRONMENT: 'production' })).toEqual([])
})

test('lists of addresses are separated by commas', () => {
  const { TRON_BLOCKED_ADDRESSES } = read({ TRON_BLOCKED_ADDRESSES: `${address}, ${address}` })
  expect(TRON_BLOCKED_ADDRESSES).toEqual([address, address])
})

test('a list with something else than addresses is refused with its rule', () => {
  expect(() => read({ TRON_SERVICE_ADDRESSES: 'T1' })).toThrow(
    'TRON_SERVICE_ADDRESSES.0: must be a list of Tron addresses: T and 33 characters',
  )
})

test('the first block is never the genesis block, whose transactions have no receipts', () => {
  expect(() => read({ TRON_FIRST_BLOCK: '0' })).toThrow(/TRON_FIRST_BLOCK.* 1 /)
  expect(read({ TRON_FIRST_BLOCK: '1' }).TRON_FIRST_BLOCK).toBe(1)
})
