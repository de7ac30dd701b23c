import {
  defaultDepositRules,
  defaultFaucetSettings,
  MAX_MINOR,
  parseMoney,
  type Usdt,
  usdt,
} from '@quipu/core'
import { z } from 'zod'
import { headerSecret, whole } from './settings.ts'

/** Hex digits of 32 bytes. */
const bytes32 = (what: string) =>
  z
    .string()
    .regex(/^[0-9a-f]{64}$/i, `must be ${what}: 64 hex digits`)
    .transform((hex) => Uint8Array.from(Buffer.from(hex, 'hex')))

const node = (which: string) =>
  z.url({ protocol: /^https?$/, error: `must be the http(s) URL of ${which}` }).optional()

const address = (what: string) =>
  z.string().regex(/^T[1-9A-HJ-NP-Za-km-z]{33}$/, `must be ${what}: T and 33 characters`)

const amountRule = 'must be an amount of USDT such as 1.00, with at most six decimals'
const amount = z
  .string()
  .refine((text) => parseMoney('USDT', text) !== undefined, amountRule)
  .transform((text): Usdt => parseMoney('USDT', text) ?? usdt(MAX_MINOR))

/** Addresses, separated by commas. */
const addresses = z
  .string()
  .transform((text) => text.split(',').map((each) => each.trim()))
  .pipe(z.array(address('a list of Tron addresses')))
  .default([])

/** Where deposits come from. All of the first four, or none: then there are no deposits. */
const needed = {
  TRON_NODE_URL: node('a full node').describe('The full node of the chain that is watched.'),
  TRON_TOKEN_CONTRACT: address('the address of the token')
    .optional()
    .describe('The contract of USDT, or of the test token that stands in for it.'),
  TRON_GENESIS_BLOCK: z
    .string()
    .regex(/^(mainnet|shasta|nile|[0-9a-f]{64})$/, 'must be mainnet, shasta, nile, or a block id')
    .optional()
    .describe('Which chain it must be: its name, or the id of its first block.'),
  TRON_XPUB: z
    .string()
    .optional()
    .describe("Extended public key of m/44'/195'/account', of which top-up addresses are derived."),
  ADDRESS_MAC_KEY: bytes32('the key of the top-up addresses’ MACs')
    .optional()
    .describe('Key of the MACs of top-up addresses: 32 bytes in hex, the same for API and worker.'),
}

/** The variables of every host that has to do with the chain. */
export const tronSettings = {
  ...needed,
  TRON_SOLIDITY_NODE_URL: node('a solidity node').describe(
    'The solidity node, when it has another URL than the full node.',
  ),
  TRON_API_KEY: headerSecret().optional().describe('Sent to the node as TRON-PRO-API-KEY.'),
  TRON_REQUESTS_PER_SECOND: whole(1, 100_000)
    .default(10)
    .describe('What the provider of the node allows this process.'),
  DEPOSIT_MINIMUM: amount
    .default(defaultDepositRules.minimum)
    .describe('A smaller deposit is not credited by itself.'),
  DEPOSIT_AUTO_LIMIT: amount
    .default(defaultDepositRules.autoLimit)
    .describe('A larger deposit is not credited by itself.'),
}

/** What the worker needs besides. */
export const scanSettings = {
  TRON_VERIFIER_URL: node('a full node').describe(
    'A second provider, which must agree before a large deposit is credited. Required in production.',
  ),
  TRON_VERIFIER_SOLIDITY_URL: node('a solidity node').describe(
    'Its solidity node, when that has another URL.',
  ),
  TRON_VERIFIER_API_KEY: headerSecret().optional().describe('Sent to it as TRON-PRO-API-KEY.'),
  TRON_FIRST_BLOCK: whole(0, 2 ** 31)
    .optional()
    .describe('Where the first scan ever begins; at the newest solid block by default.'),
  TRON_POLL_MS: whole(10, 60_000)
    .default(3_000)
    .describe('Pause in milliseconds when there is no new block.'),
  SCAN_LEASE_SECONDS: whole(3, 3_600)
    .default(30)
    .describe('How long a scan stays with a worker that has gone silent.'),
  DEPOSIT_LEASE_SECONDS: whole(3, 3_600)
    .default(60)
    .describe('How long a deposit does; the chain is asked about it meanwhile.'),
  TRON_SERVICE_ADDRESSES: addresses.describe(
    'What the service itself sends from (faucet, treasury), by commas: never credited by itself.',
  ),
  TRON_BLOCKED_ADDRESSES: addresses.describe(
    'Senders whose deposits a person must look at, by commas, besides those the token blocks.',
  ),
  DEPOSIT_VERIFY_FROM: amount
    .default(defaultDepositRules.verifyFrom)
    .describe('From it on the second provider must agree, if there is one.'),
  DEPOSIT_UNVERIFIED_TENANT_LIMIT: amount
    .default(defaultDepositRules.unverifiedLimits.perTenant)
    .describe(
      'What one provider alone can credit to a tenant in 24 hours. Above it the second must agree, or a person decides.',
    ),
  DEPOSIT_UNVERIFIED_TOTAL_LIMIT: amount
    .default(defaultDepositRules.unverifiedLimits.inAll)
    .describe('The same for all tenants together.'),
}

/** What the API needs besides, to give out test tokens in the sandbox. */
export const faucetSettings = {
  FAUCET_PRIVATE_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be the private key of the faucet: 64 hex digits')
    .optional()
    .describe('Signs what the sandbox faucet sends; without it there is no faucet.'),
  FAUCET_SHARED_LIMIT: amount
    .default(defaultFaucetSettings.limits.shared)
    .describe('What the faucet sends in 24 hours to all tenants together.'),
}

type Given = { readonly [Name in keyof typeof needed]?: unknown }

/** Settings of a host that watches the chain. */
export type WithTron<Settings extends Given> = Settings & {
  readonly [Name in keyof typeof needed]: NonNullable<Settings[Name]>
}

/** Whether deposits are configured. */
export const isTronConfigured = <Settings extends Given>(
  settings: Settings,
): settings is WithTron<Settings> =>
  Object.keys(needed).every((name) => settings[name as keyof Given] !== undefined)

/**
 * What is wrong with how the chain is configured: half of it missing, or a chain that does not fit
 * the environment. A sandbox never watches the real chain, nor the reverse.
 *
 * @param mainnetId  the id of the real chain's first block
 */
export function tronIssues(
  settings: Given & { readonly ENVIRONMENT?: 'sandbox' | 'production' | undefined },
  mainnetId: string,
): readonly { readonly variable: string; readonly message: string }[] {
  const names = Object.keys(needed) as (keyof Given)[]
  const missing = names.filter((name) => settings[name] === undefined)
  const halves =
    missing.length === names.length
      ? []
      : missing.map((variable) => ({
          variable,
          message: `is required with ${names.filter((name) => !missing.includes(name)).join(', ')}`,
        }))
  const chain = settings.TRON_GENESIS_BLOCK
  const isReal = chain === 'mainnet' || chain === mainnetId
  if (chain === undefined || isReal === (settings.ENVIRONMENT === 'production')) return halves
  const message = isReal ? 'must not be mainnet in the sandbox' : 'must be mainnet in production'
  return [...halves, { variable: 'TRON_GENESIS_BLOCK', message }]
}

/** What is wrong with the second provider, for the host that settles deposits. */
export const verifierIssues = (
  settings: Given & {
    readonly ENVIRONMENT?: 'sandbox' | 'production' | undefined
    readonly TRON_VERIFIER_URL?: unknown
  },
): readonly { readonly variable: string; readonly message: string }[] =>
  settings.ENVIRONMENT === 'production' &&
  settings.TRON_NODE_URL !== undefined &&
  settings.TRON_VERIFIER_URL === undefined
    ? [
        {
          variable: 'TRON_VERIFIER_URL',
          message: 'is required in production with TRON_NODE_URL: a full node of another provider',
        },
      ]
    : []
