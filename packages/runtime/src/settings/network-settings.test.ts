import { bob } from '@quipu/core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { chosenNetwork, networkChoice, networkIssues, networkSettings } from './network-settings.ts'

const Settings = z.object(networkSettings)
const openHub = {
  QR_NETWORK: 'openhub',
  OPENHUB_URL: 'https://hub.example/api',
  OPENHUB_CLIENT_ID: 'client',
  OPENHUB_CLIENT_SECRET: 'secret',
  OPENHUB_NIT: '1029384756',
  OPENHUB_SOURCE_ACCOUNT: '7010999001',
}
const production = {
  ENVIRONMENT: 'production',
  PRODUCTION_OVERRIDES: ['unverified-openhub'],
  OPENHUB_QR_OPERATIONS: ['PAYOUT QR'],
  OPENHUB_PAYMENT_CAP_BOB: bob(500_00n),
} as const
const issuesOf = (settings: Parameters<typeof networkIssues>[0]): readonly string[] =>
  Array.from(networkIssues(settings), ({ variable }) => variable)

test('http needs its URL and token, and nothing of OpenHub', () => {
  expect(issuesOf({})).toEqual(['QR_NETWORK_URL', 'QR_NETWORK_TOKEN'])
  const settings = Settings.parse({ QR_NETWORK_URL: 'https://network.example', QR_NETWORK_TOKEN: 'token' })
  expect(issuesOf({ ...settings, ENVIRONMENT: 'production', QR_NETWORK_CALLBACK_SECRET: 's' })).toEqual([])
  expect(chosenNetwork(settings)).toEqual({
    type: 'http',
    options: { url: 'https://network.example', token: 'token', identity: undefined },
  })
})

test('openhub needs its own settings, and exactly one of the two secrets', () => {
  expect(issuesOf({ QR_NETWORK: 'openhub' })).toEqual([
    'OPENHUB_URL',
    'OPENHUB_CLIENT_ID',
    'OPENHUB_NIT',
    'OPENHUB_SOURCE_ACCOUNT',
    'OPENHUB_CLIENT_SECRET',
  ])
  expect(issuesOf(Settings.parse(openHub))).toEqual([])
  expect(issuesOf({ ...openHub, OPENHUB_BASIC_TOKEN: 'YTpi' })).toEqual(['OPENHUB_CLIENT_SECRET'])
  expect(networkChoice(Settings.parse({ ...openHub, OPENHUB_NIT: undefined }))).toBeUndefined()
  expect(() => chosenNetwork(Settings.parse({}))).toThrow(TypeError)
})

test('openhub refuses the secret of callbacks, which it does not make', () => {
  expect(issuesOf({ ...openHub, QR_NETWORK_CALLBACK_SECRET: 'x' })).toEqual(['QR_NETWORK_CALLBACK_SECRET'])
})

test('production refuses openhub without the override, a cap and the operation of the debits', () => {
  expect(issuesOf({ ...openHub, ENVIRONMENT: 'production' })).toEqual([
    'QR_NETWORK',
    'OPENHUB_QR_OPERATIONS',
    'OPENHUB_PAYMENT_CAP_BOB',
  ])
  expect(issuesOf({ ...openHub, ...production })).toEqual([])
})

test.each([
  ['QR_NETWORK', 'other'],
  ['OPENHUB_URL', 'ftp://x'],
  ['OPENHUB_NIT', '123456'],
  ['OPENHUB_SOURCE_ACCOUNT', '7010-999'],
  ['OPENHUB_QR_PATH', 'payout?x'],
  ['OPENHUB_GATEWAY_REFUSAL_IS_NOT_SENT', 'yes'],
  ['OPENHUB_UNPAID_AFTER_SECONDS', '60'],
  ['OPENHUB_PAYMENT_CAP_BOB', '1e3'],
])('%s refuses %s', (variable, value) => {
  const { error } = Settings.safeParse({ ...openHub, [variable]: value })
  expect(error?.issues.map(({ path }) => path.join('.'))).toEqual([variable])
})
