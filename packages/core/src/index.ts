/**
 * Pays Bolivian merchant QRs from a USDT balance: states, quotes, ledger and use cases, with no I/O.
 *
 * @module @quipu/core
 */
export * from './backlog.ts'
export type * from './deposit/chain.ts'
export {
  type CreditFault,
  creditFault,
  type CompareSourcesPorts,
  type RecordedTransfer,
} from './deposit/compare-sources.ts'
export * from './deposit/audit-review.ts'
export * from './deposit/credit-deposit.ts'
export * from './deposit/deposit.ts'
export * from './deposit/decide-deposit.ts'
export type * from './deposit/ports.ts'
export * from './deposit/resolve-review.ts'
export * from './deposit/review-deposits.ts'
export {
  defaultScanSettings,
  type Scan,
  type ScanPorts,
  type ScanPoll,
  type ScanSettings,
} from './deposit/scan.ts'
export * from './deposit/scan-head.ts'
export * from './deposit/scan-solid.ts'
export * from './deposit/address-mac.ts'
export * from './deposit/open-deposit.ts'
export {
  type SettleDeposit,
  settleDeposit,
  type SettleDepositPorts,
  type SettleDepositSettings,
  depositDelaySeconds,
} from './deposit/settle-deposit.ts'
export * from './deposit/top-up-address.ts'
export * from './digest.ts'
export * from './event/event.ts'
export * from './event/record-event.ts'
export * from './event/redate-event.ts'
export * from './faucet/faucet.ts'
export * from './faucet/settle-faucet-send.ts'
export * from './faucet/check-faucet-limits.ts'
export type * from './faucet/ports.ts'
export * from './faucet/request-faucet.ts'
export * from './ids.ts'
export * from './alert.ts'
export * from './ledger/adjustment.ts'
export * from './ledger/ledger.ts'
export type * from './ledger/ledger-check.ts'
export type * from './ledger/ports.ts'
export * from './ledger/reconcile.ts'
export * from './money.ts'
export * from './network/qr-network.ts'
export type * from './page.ts'
export type * from './payout/alerts.ts'
export * from './payout/create-payout.ts'
export * from './payout/open-payout.ts'
export type * from './payout/payout-answer.ts'
export * from './payout/payout.ts'
export * from './payout/ports.ts'
export * from './payout/resume-payout.ts'
export * from './payout/schedule.ts'
export * from './payout/settle-payout.ts'
export * from './quote/create-quote.ts'
export type * from './quote/ports.ts'
export * from './quote/quote.ts'
export * from './quote/rate.ts'
export * from './quote/resolution.ts'
export * from './quote/resolve-qr.ts'
export * from './sandbox.ts'
export type * from './stores.ts'
export * from './tenant/api-key.ts'
export * from './tenant/audit.ts'
export * from './tenant/authenticate.ts'
export * from './tenant/manage-api-keys.ts'
export * from './tenant/manage-tenants.ts'
export type * from './tenant/ports.ts'
export * from './tenant/tenant.ts'
export * from './time.ts'
export * from './unavailable.ts'
export * from './webhook/deliver.ts'
export * from './webhook/delivery.ts'
export * from './webhook/endpoint.ts'
export * from './webhook/retry-policy.ts'
export * from './webhook/manage-webhooks.ts'
export type * from './webhook/ports.ts'
export type * from './webhook/secret-box.ts'
export type * from './webhook/sender.ts'
export * from './webhook/signature.ts'
export * from './webhook/send-test.ts'
export type * from './webhook/wake-queue.ts'
