import { defaultDepositRules, defaultScanSettings, toDecimal, type Usdt } from '@quipu/core'
import { dustMax } from '@quipu/core/adapter'
import { headerSecret, issueIf, nodeUrl, type SettingIssue, tronAddress, usdtAmount, whole } from '@quipu/runtime'
import { z } from 'zod'

/** Addresses, separated by commas. */
const addresses = z
  .string()
  .transform((text) => text.split(',').map((each) => each.trim()))
  .pipe(z.array(tronAddress('a list of Tron addresses')))
  .default([])

/** How the worker scans the chain and settles deposits. */
export const scanSettings = {
  TRON_VERIFIER_URL: nodeUrl('a full node').describe(
    'Full node of a second provider, which must confirm a large deposit before it is credited. Required in production.',
  ),
  TRON_VERIFIER_SOLIDITY_URL: nodeUrl('a solidity node').describe(
    'Solidity node of the second provider, if it has another URL.',
  ),
  TRON_VERIFIER_API_KEY: headerSecret().optional().describe('Sent to the second provider as TRON-PRO-API-KEY.'),
  TRON_FIRST_BLOCK: whole(1, 2 ** 31)
    .optional()
    .describe('Block that the first scan of a database starts at, from 1 on; by default the newest solid block.'),
  TRON_POLL_MS: whole(10, 60_000).default(3_000).describe('Pause in milliseconds when there is no new block.'),
  SCAN_LEASE_SECONDS: whole(3, 3_600)
    .default(defaultScanSettings.leaseSeconds)
    .describe('How long a scan stays leased to a worker that has stopped responding.'),
  CHAIN_WORK_LEASE_SECONDS: whole(3, 3_600)
    .default(60)
    .describe('How long a deposit, a faucet send or a sweep stays leased; the worker uses the chain within this time.'),
  TRON_SERVICE_ADDRESSES: addresses.describe(
    'Addresses that the service itself sends from (faucet, treasury), by commas: their deposits go to review.',
  ),
  TRON_BLOCKED_ADDRESSES: addresses.describe(
    'Senders whose deposits go to review, by commas, in addition to those that the token blocks.',
  ),
  DEPOSIT_DUST: usdtAmount
    .refine(({ minor }) => minor <= dustMax.minor, `must be at most ${toDecimal(dustMax)}`)
    .default(defaultDepositRules.dust)
    .describe(
      'A smaller deposit needs no operator: its review is closed at once, with the reason DUST. At most DEPOSIT_MINIMUM.',
    ),
  DEPOSIT_VERIFY_FROM: usdtAmount
    .default(defaultDepositRules.verifyFrom)
    .describe('Deposits of this amount or more need the second provider, if there is one.'),
  DEPOSIT_UNVERIFIED_TENANT_LIMIT: usdtAmount
    .default(defaultDepositRules.unverifiedLimits.perTenant)
    .describe(
      'Sum that one provider alone can credit to a tenant in 24 hours. Above it a deposit needs the second provider or a review.',
    ),
  DEPOSIT_UNVERIFIED_TOTAL_LIMIT: usdtAmount
    .default(defaultDepositRules.unverifiedLimits.inAll)
    .describe('The same sum for all tenants together.'),
}

/** Requires a second provider in production when the chain is configured. */
export const verifierIssues = (settings: {
  readonly ENVIRONMENT?: 'sandbox' | 'production' | undefined
  readonly TRON_NODE_URL?: unknown
  readonly TRON_VERIFIER_URL?: unknown
}): readonly SettingIssue[] =>
  issueIf(
    settings.ENVIRONMENT === 'production' &&
      settings.TRON_NODE_URL !== undefined &&
      settings.TRON_VERIFIER_URL === undefined,
    'TRON_VERIFIER_URL',
    'is required in production with TRON_NODE_URL: a full node of another provider',
  )

/** A dust limit above the minimum would close reviews of amounts that are credited. */
export const dustIssues = ({
  DEPOSIT_DUST: dust,
  DEPOSIT_MINIMUM: minimum,
}: {
  readonly DEPOSIT_DUST?: Usdt | undefined
  readonly DEPOSIT_MINIMUM?: Usdt | undefined
}): readonly SettingIssue[] =>
  dust !== undefined && minimum !== undefined && dust.minor > minimum.minor
    ? [{ variable: 'DEPOSIT_DUST', message: 'must be at most DEPOSIT_MINIMUM' }]
    : []
