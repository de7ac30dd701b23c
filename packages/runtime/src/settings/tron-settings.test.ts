import { usdt } from '@quipu/core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { BadSettings, readSettings } from './settings.ts'
import {
  scanSettings,
  tronIssues,
  tronSettings,
  verifierIssues,
  isTronConfigured,
} from './tron-settings.ts'

const mainnetId = 'ab'.repeat(32)
const Settings = z
  .object({
    ...tronSettings,
    ...scanSettings,
    ENVIRONMENT: z.enum(['sandbox', 'production']).default('sandbox'),
  })
  .superRefine(
    (settings, context) => {
      for (const { variable, message } of tronIssues(settings, mainnetId))
        context.addIssue({ code: 'custom', path: [variable], message })
    },
    { when: () => true },
  )
const given = {
  TRON_NODE_URL: 'https://api.shasta.trongrid.io',
  TRON_TOKEN_CONTRACT: 'TG3XXyExBkPp9nzdajDZsozEu4BkaSJozs',
  TRON_GENESIS_BLOCK: 'shasta',
  TRON_XPUB: 'xpub-of-the-account',
  ADDRESS_MAC_KEY: '0f'.repeat(32),
}
const read = (env: Record<string, string>) => readSettings(Settings, env)
const complaints = (env: Record<string, string>): string => {
  try {
    read(env)
    return ''
  } catch (error) {
    if (error instanceof BadSettings) return error.message
    throw error
  }
}

test('without any of them there are no deposits, with all of them the chain is watched', () => {
  expect(isTronConfigured(read({}))).toBe(false)
  const settings = read(given)
  expect(isTronConfigured(settings)).toBe(true)
  expect(settings.ADDRESS_MAC_KEY).toEqual(new Uint8Array(32).fill(0x0f))
})

test('half of them is a complaint about each one that is missing', () => {
  const { TRON_XPUB: _, ADDRESS_MAC_KEY: __, ...half } = given
  const message = complaints(half)
  expect(message).toContain(
    'TRON_XPUB: is required with TRON_NODE_URL, TRON_TOKEN_CONTRACT, TRON_GENESIS_BLOCK',
  )
  expect(message).toContain('ADDRESS_MAC_KEY: is required with')
})

test('a sandbox never watches mainnet, by its name or its first block, and production nothing else', () => {
  const inSandbox = (chain: string) => complaints({ ...given, TRON_GENESIS_BLOCK: chain })
  expect(inSandbox('mainnet')).toContain('TRON_GENESIS_BLOCK: must not be mainnet in the sandbox')
  expect(inSandbox(mainnetId)).toContain('TRON_GENESIS_BLOCK: must not be mainnet in the sandbox')
  expect(inSandbox('nile')).toBe('')
  const inProduction = (chain: string) =>
    complaints({ ...given, ENVIRONMENT: 'production', TRON_GENESIS_BLOCK: chain })
  expect(inProduction('shasta')).toContain('TRON_GENESIS_BLOCK: must be mainnet in production')
  expect(inProduction('mainnet')).toBe('')
})

test('production requires a second provider where the chain is watched', () => {
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

test('amounts are exact, and lists are by commas', () => {
  const settings = read({
    ...given,
    DEPOSIT_MINIMUM: '0.000001',
    DEPOSIT_AUTO_LIMIT: '250.5',
    TRON_BLOCKED_ADDRESSES: `${given.TRON_TOKEN_CONTRACT}, ${given.TRON_TOKEN_CONTRACT}`,
  })
  expect([settings.DEPOSIT_MINIMUM, settings.DEPOSIT_AUTO_LIMIT]).toEqual([
    usdt(1n),
    usdt(250_500_000n),
  ])
  expect(settings.TRON_BLOCKED_ADDRESSES).toHaveLength(2)
})

test.each([
  ['TRON_NODE_URL', 'ftp://node', 'must be the http(s) URL of a full node'],
  ['TRON_TOKEN_CONTRACT', '41a614', 'must be the address of the token: T and 33 characters'],
  ['TRON_GENESIS_BLOCK', 'main', 'must be mainnet, shasta, nile, or a block id'],
  ['ADDRESS_MAC_KEY', 'secret', 'must be the key of the top-up addresses’ MACs: 64 hex digits'],
  ['DEPOSIT_MINIMUM', '1.0000001', 'must be an amount of USDT such as 1.00'],
  ['TRON_SERVICE_ADDRESSES', 'T1', 'must be a list of Tron addresses: T and 33 characters'],
])('%s = %s is refused and what it may be is told', (variable, value, rule) => {
  const message = complaints({ ...given, [variable]: value })
  expect(message).toContain(variable)
  expect(message).toContain(rule)
})
