import {
  type Deposit,
  type DepositStatus,
  type FaucetSend,
  type Reconciliation,
  usdt,
  type WalletTransaction,
} from '@quipu/core'
import { reviewCodes } from '@quipu/core/adapter'
import { anyId, anyInstant, anyText, anyTransactionId, anyUsdt, anyUuid } from '@quipu/contracts'
import fc from 'fast-check'

const anyHash = fc.stringMatching(/^[0-9a-f]{64}$/)
const anyAddress = fc.stringMatching(/^T[1-9A-HJ-NP-Za-km-z]{33}$/)

/** More than the ledger carries, too: a hostile token moves what it likes. */
const anyValue = fc.oneof(anyUsdt, fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }).map(usdt))

const anySeen = fc.record({
  id: anyId('dep'),
  tenantId: anyId('ten'),
  chain: fc.constant('tron' as const),
  txHash: anyHash,
  transferIndex: fc.nat(1_000),
  address: anyAddress,
  fromAddress: anyAddress,
  amount: anyValue,
  createdAt: anyInstant,
})

const anyClosing = fc.record({ at: anyInstant, actor: anyText, reason: anyText })

const anyEnd: { readonly [Status in DepositStatus]: fc.Arbitrary<object> } = {
  pending: fc.constant({}),
  credited: fc.record({ creditedAt: anyInstant }),
  in_review: fc.record({ reviewCode: fc.constantFrom(...reviewCodes), closed: fc.option(anyClosing) }),
}

export const anyDepositIn = <Status extends DepositStatus>(
  status: Status,
): fc.Arbitrary<Extract<Deposit, { status: Status }>> =>
  fc
    .tuple(anySeen, anyEnd[status])
    .map(([seen, end]) => ({ ...seen, ...end, status }) as Extract<Deposit, { status: Status }>)

export const anyDeposit: fc.Arbitrary<Deposit> = fc.oneof(
  anyDepositIn('pending'),
  anyDepositIn('credited'),
  anyDepositIn('in_review'),
)

export const anyWalletTransaction: fc.Arbitrary<WalletTransaction> = fc.record({
  seq: fc.bigInt({ min: 1n, max: 10n ** 12n }),
  id: anyId('wtx'),
  direction: fc.constantFrom('in', 'out'),
  type: fc.constantFrom('deposit', 'payout', 'adjustment'),
  amount: anyUsdt,
  balanceAfter: anyUsdt,
  payoutId: fc.option(anyId('po')),
  depositId: fc.option(anyId('dep')),
  transactionId: fc.option(anyTransactionId),
  createdAt: anyInstant,
})

const anySum = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }).map(usdt)

export const anyBooks: fc.Arbitrary<Reconciliation> = fc.record({
  asOf: anyInstant,
  credited: anySum,
  debited: anySum,
  adjusted: anySum,
  held: anySum,
  available: anySum,
  balanced: fc.boolean(),
  drift: anySum,
  scannedThrough: fc.option(fc.record({ number: fc.nat(), id: anyHash, at: anyInstant }), { nil: undefined }),
})

export const anySend: fc.Arbitrary<FaucetSend> = fc.record({
  id: anyUuid,
  tenantId: anyId('ten'),
  key: fc.stringMatching(/^[\t\x20-\x7e\x80-\xff]{1,255}$/),
  fingerprint: anyHash,
  chain: fc.constant('tron' as const),
  account: fc.stringMatching(/^[0-9a-f]{40}$/),
  address: anyAddress,
  amount: anyUsdt,
  transfer: fc.record({ txHash: anyHash, bytes: fc.uint8Array({ maxLength: 8 }), expiresAt: anyInstant }),
  status: fc.constantFrom('submitted', 'confirmed', 'failed'),
  remainingToday: anyUsdt,
  createdAt: anyInstant,
})
