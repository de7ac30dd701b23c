import { reconciliationSettings, type SettingIssue, whole } from '@quipu/runtime'

/** How the worker compares payouts and deposits with the QR network and the chain. */
export const checkSettings = {
  ...reconciliationSettings,
  RECONCILIATION_LEASE_SECONDS: whole(3, 3_600)
    .default(300)
    .describe(
      'How long a reconciliation run stays leased to a worker that has stopped responding; one slice takes less.',
    ),
  TRON_CHECK_REQUESTS_PER_SECOND: whole(1, 1_000)
    .default(2)
    .describe(
      'Requests a second that each worker spends on balances of top-up addresses, in addition to TRON_REQUESTS_PER_SECOND.',
    ),
  NETWORK_LIQUIDITY_SECONDS: whole(1, 3_600)
    .default(60)
    .describe('Seconds between two polls of the network’s liquidity.'),
}

/** Payments stop when the account at the network is empty, and nothing else shows it beforehand. */
export const liquidityIssues = (settings: {
  readonly ENVIRONMENT?: unknown
  readonly NETWORK_LIQUIDITY_FLOOR_BOB?: unknown
}): readonly SettingIssue[] =>
  settings.ENVIRONMENT === 'production' && settings.NETWORK_LIQUIDITY_FLOOR_BOB === undefined
    ? [{ variable: 'NETWORK_LIQUIDITY_FLOOR_BOB', message: 'is required in production: an amount of BOB, or off' }]
    : []
