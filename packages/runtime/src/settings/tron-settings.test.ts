import { usdt } from '@quipu/core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { BadSettings, readSettings } from './settings.ts'
import { isTronConfigured, tronIssues, tronSettings } from './tron-settings.ts'

const mainnetId = 'ab'.repeat(32)
const Settings = z
  .object({ ...tronSettings, ENVIRONMENT: z.enum(['sandbox', 'production']).default('sandbox') })
  .superRefine(
    (settings, context) => {
      for (const { variable, message } of tronIssues(settings, mainnetId))
        context.addIssue({ code: 'custom', path: [variable], message })
    },
    { when: () => true },
  )
const required = {
  TRON_NODE_URL: 'https://api.shasta.trongrid.io',
  TRON_TOKEN_CONTRACT: 'TG3XXyExBkPp9nzdajDZsozEu4BkaSJozs',
  TRON_GENESIS_BLOCK: 'shasta',
  TRON_XPUB: 'xpub-of-the-account',
  ADDRESS_MAC_KEY: '0f'.repeat(32),
}
const read = (env: Record<string, string>) => readSettings(Settings, env)
const messageFor = (env: Record<string, string>): string => {
  try {
    read(env)
    return ''
  } catch (error) {
    if (error instanceof BadSettings) return error.message
    throw error
  }
}

test('the chain is configured by all of the required settings, and not by none', () => {
  expect(isTronConfigured(read({}))).toBe(false)
  const settings = read(required)
  expect(isTronConfigured(settings)).toBe(true)
  expect(settings.ADDRESS_MAC_KEY).toEqual([{ id: '1', key: new Uint8Array(32).fill(0x0f) }])
})

test('some of the required settings alone are refused, naming each missing one', () => {
  const { TRON_XPUB: _, ADDRESS_MAC_KEY: __, ...half } = required
  const message = messageFor(half)
  expect(message).toContain('TRON_XPUB: is required with TRON_NODE_URL, TRON_TOKEN_CONTRACT, TRON_GENESIS_BLOCK')
  expect(message).toContain('ADDRESS_MAC_KEY: is required with')
})

test('the sandbox refuses mainnet by name and by first block; production refuses other chains', () => {
  const inSandbox = (chain: string) => messageFor({ ...required, TRON_GENESIS_BLOCK: chain })
  expect(inSandbox('mainnet')).toContain('TRON_GENESIS_BLOCK: must not be mainnet in the sandbox')
  expect(inSandbox(mainnetId)).toContain('TRON_GENESIS_BLOCK: must not be mainnet in the sandbox')
  expect(inSandbox('nile')).toBe('')
  const inProduction = (chain: string) =>
    messageFor({ ...required, ENVIRONMENT: 'production', TRON_GENESIS_BLOCK: chain })
  expect(inProduction('shasta')).toContain('TRON_GENESIS_BLOCK: must be mainnet in production')
  expect(inProduction('mainnet')).toBe('')
})

test('amounts are exact', () => {
  const settings = read({ ...required, DEPOSIT_MINIMUM: '0.000001', DEPOSIT_AUTO_LIMIT: '250.5' })
  expect([settings.DEPOSIT_MINIMUM, settings.DEPOSIT_AUTO_LIMIT]).toEqual([usdt(1n), usdt(250_500_000n)])
})

test.each([
  ['TRON_NODE_URL', 'ftp://node', 'must be the http(s) URL of a full node'],
  ['TRON_TOKEN_CONTRACT', '41a614', 'must be the address of the token: T and 33 characters'],
  ['TRON_GENESIS_BLOCK', 'main', 'must be mainnet, shasta, nile, or a block id'],
  [
    'ADDRESS_MAC_KEY',
    'secret',
    'must be the keys of the top-up addresses’ MACs, the current one first: each 64 hex digits',
  ],
  ['DEPOSIT_MINIMUM', '1.0000001', 'must be an amount of USDT such as 1.00'],
])('%s=%s is refused with its rule', (variable, value, rule) => {
  const message = messageFor({ ...required, [variable]: value })
  expect(message).toContain(variable)
  expect(message).toContain(rule)
})
