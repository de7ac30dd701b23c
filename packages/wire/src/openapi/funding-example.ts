import {
  defaultDepositRules,
  type Deposit,
  type FaucetSend,
  type Reconciliation,
  type TopUpAddress,
  usdt,
  type WalletTransaction,
} from '@quipu/core'
import {
  type CreditedDeposit,
  creditDeposit,
  type DepositInReview,
  type PendingDeposit,
  walletTransactionId,
} from '@quipu/core/adapter'
import { at, completed, tenant, ulid, wallet } from './example.ts'

const address = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const ownWallet = 'TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA'

export const topUpAddress: TopUpAddress = {
  tenantId: tenant.id,
  chain: 'tron',
  index: 0,
  account: '',
  address,
  mac: '',
  createdAt: at(-86_000),
  retiredAt: null,
}
export const shownTopUp = {
  chain: 'tron',
  address,
  minimumAmount: defaultDepositRules.minimum,
  maximumAmount: defaultDepositRules.autoLimit,
} as const

const pending: PendingDeposit = {
  id: `dep_${ulid('0F')}`,
  tenantId: tenant.id,
  chain: 'tron',
  txHash: 'c5a1d7b2f0e94836a7d1c3e58f6b204d9e7ac1503b8f4d26e1970a5c4b3d2e1f',
  transferIndex: 0,
  address,
  fromAddress: ownWallet,
  amount: usdt(25_000_000n),
  status: 'pending',
  createdAt: at(-120),
}
const credited: CreditedDeposit = creditDeposit(pending, at(-60)).deposit
const inReview: DepositInReview = {
  ...pending,
  status: 'in_review',
  reviewCode: 'AMOUNT_BELOW_MINIMUM',
  amount: usdt(500_000n),
  closed: null,
}
const closing = { at: at(3_600), actor: 'olivia', reason: 'Returned to the sender.' }

/** A deposit for every status. */
export const deposits: Readonly<Record<Deposit['status'], Deposit>> = { pending, credited, in_review: inReview }
export const closedDeposit: DepositInReview = { ...inReview, closed: closing }

export const paidRow: WalletTransaction = {
  seq: 2n,
  id: walletTransactionId(tenant.id, at(1), 2n),
  direction: 'out',
  type: 'payout',
  amount: usdt(10_203_353n),
  balanceAfter: usdt(989_796_647n),
  payoutId: completed.id,
  depositId: null,
  transactionId: completed.transactionId,
  createdAt: at(1),
}
export const creditedRow: WalletTransaction = {
  seq: 1n,
  id: walletTransactionId(tenant.id, at(-60), 1n),
  direction: 'in',
  type: 'deposit',
  amount: usdt(1_000_000_000n),
  balanceAfter: usdt(1_000_000_000n),
  payoutId: null,
  depositId: credited.id,
  transactionId: null,
  createdAt: at(-60),
}

export const reconciliation: Reconciliation = {
  asOf: at(2),
  credited: usdt(1_000_000_000n),
  debited: usdt(10_203_353n),
  adjusted: usdt(0n),
  held: wallet.held,
  available: wallet.available,
  balanced: true,
  drift: usdt(0n),
  scannedThrough: { number: 58_213_377, id: '', at: at(-55) },
}

export const send: FaucetSend = {
  id: '019aa1f4-5108-7000-8000-00000000000c',
  tenantId: tenant.id,
  key: '7f3c1f0a-5b1e-4c61-9f6c-0d9f6f1f2b11',
  fingerprint: '',
  chain: 'tron',
  account: '',
  address: ownWallet,
  amount: usdt(100_000_000n),
  transfer: {
    txHash: '3e1f9a0c7b5d284e6f01a3c9d8b7e6f5041a2b3c4d5e6f708192a3b4c5d6e7f8',
    bytes: new Uint8Array(),
    expiresAt: at(60),
  },
  status: 'submitted',
  remainingToday: usdt(900_000_000n),
  createdAt: at(0),
}
