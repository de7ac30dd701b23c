import { defaultDepositRules } from '@quipu/core'
import { z } from 'zod'
import { keyRing } from './key-ring.ts'
import { type SettingIssue, headerSecret, usdtAmount, whole } from './settings.ts'

/** The URL of a node. @param kind  such as `a full node` */
export const nodeUrl = (kind: string): z.ZodOptional<z.ZodURL> =>
  z.url({ protocol: /^https?$/, error: `must be the http(s) URL of ${kind}` }).optional()

/** A Tron address; its checksum is not checked. @param owner  such as `the address of the token` */
export const tronAddress = (owner: string): z.ZodString =>
  z.string().regex(/^T[1-9A-HJ-NP-Za-km-z]{33}$/, `must be ${owner}: T and 33 characters`)

/** All of them, or none: without them there are no deposits. */
const required = {
  TRON_NODE_URL: nodeUrl('a full node').describe('Full node of the chain.'),
  TRON_TOKEN_CONTRACT: tronAddress('the address of the token')
    .optional()
    .describe('Contract of USDT, or of the test token that stands in for it.'),
  TRON_GENESIS_BLOCK: z
    .string()
    .regex(/^(mainnet|shasta|nile|[0-9a-f]{64})$/, 'must be mainnet, shasta, nile, or a block id')
    .optional()
    .describe('The chain that the node must serve: its name, or the id of its first block.'),
  TRON_XPUB: z
    .string()
    .optional()
    .describe("Extended public key of m/44'/195'/account', from which top-up addresses derive."),
  ADDRESS_MAC_KEY: keyRing('the keys of the top-up addresses’ MACs')
    .optional()
    .describe(
      'Key of the MACs of top-up addresses and reconciliations: 32 bytes in hex, the same for API and worker. While it is rotated, several keys with ids, the current one first.',
    ),
}

/** The variables of every host that reads the chain or derives top-up addresses. */
export const tronSettings = {
  ...required,
  TRON_SOLIDITY_NODE_URL: nodeUrl('a solidity node').describe(
    'Solidity node, if it has another URL than the full node.',
  ),
  TRON_API_KEY: headerSecret().optional().describe('Sent to the node as TRON-PRO-API-KEY.'),
  TRON_REQUESTS_PER_SECOND: whole(1, 100_000)
    .default(10)
    .describe('Requests a second that this process sends to the node at most.'),
  TRON_TIMEOUT_SECONDS: whole(1, 600)
    .default(5)
    .describe(
      'Seconds until the first attempt of a request to a node ends. For blocks and receipts they double after each attempt that ends so, up to four times as many.',
    ),
  TRON_ANSWER_MIB: whole(1, 256)
    .default(64)
    .describe(
      'Size in MiB above which an answer of a node is refused. The receipts of a large block are read one by one; one alone can have 40.',
    ),
  DEPOSIT_MINIMUM: usdtAmount.default(defaultDepositRules.minimum).describe('A smaller deposit goes to review.'),
  DEPOSIT_AUTO_LIMIT: usdtAmount.default(defaultDepositRules.autoLimit).describe('A larger deposit goes to review.'),
}

/** How a process asks the nodes. */
export type TronNodeSettings = {
  readonly TRON_REQUESTS_PER_SECOND: number
  readonly TRON_TIMEOUT_SECONDS: number
  readonly TRON_ANSWER_MIB: number
}

/** The options of a node's client that the settings give. */
export const tronNodeLimits = (
  settings: TronNodeSettings,
): { readonly requestsPerSecond: number; readonly timeoutMs: number; readonly answerBytesMax: number } => ({
  requestsPerSecond: settings.TRON_REQUESTS_PER_SECOND,
  timeoutMs: settings.TRON_TIMEOUT_SECONDS * 1_000,
  answerBytesMax: settings.TRON_ANSWER_MIB * 1024 * 1024,
})

type ChainSettings = { readonly [Name in keyof typeof required]?: unknown }

/** Settings in which every required variable of the chain is set. */
export type WithTron<Settings extends ChainSettings> = Settings & {
  readonly [Name in keyof typeof required]: NonNullable<Settings[Name]>
}

/** Whether the chain is configured; without it there are no deposits. */
export const isTronConfigured = <Settings extends ChainSettings>(settings: Settings): settings is WithTron<Settings> =>
  Object.keys(required).every((name) => settings[name as keyof ChainSettings] !== undefined)

/**
 * Reports required variables of which only some are set, and a chain that does not fit the
 * environment: mainnet belongs to production, every other chain to the sandbox.
 *
 * @param mainnetId  id of the first block of mainnet
 */
export function tronIssues(
  settings: ChainSettings & { readonly ENVIRONMENT?: 'sandbox' | 'production' | undefined },
  mainnetId: string,
): readonly SettingIssue[] {
  const names = Object.keys(required) as (keyof ChainSettings)[]
  const missing = names.filter((name) => settings[name] === undefined)
  const present = names.filter((name) => !missing.includes(name))
  const issues =
    present.length === 0
      ? []
      : missing.map((variable) => ({ variable, message: `is required with ${present.join(', ')}` }))
  const chain = settings.TRON_GENESIS_BLOCK
  const isMainnet = chain === 'mainnet' || chain === mainnetId
  if (chain === undefined || isMainnet === (settings.ENVIRONMENT === 'production')) return issues
  const message = isMainnet ? 'must not be mainnet in the sandbox' : 'must be mainnet in production'
  return [...issues, { variable: 'TRON_GENESIS_BLOCK', message }]
}
