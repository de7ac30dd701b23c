import type { Chain, ChainAccount } from '../chain/chain.ts'
import type { Usdt } from '../money.ts'

/** A transfer before its signature, which changes neither its bytes nor its id. */
export type UnsignedTransfer = {
  /** SHA-256 of the raw bytes: 64 hex digits. */
  readonly txHash: string
  /** The bytes that are signed, in hex. */
  readonly rawHex: string
  /** The transaction as Tron's tools read it: JSON with `txID`, `raw_data` and `raw_data_hex`. */
  readonly transaction: string
  /** It cannot enter a block with this or a later time. */
  readonly expiresAt: Date
}

/** The fee of a transfer for its address, at the chain's prices of that moment. */
export type SweepCost = {
  readonly energy: bigint
  /** The maximum fee of the transfer, in sun. */
  readonly feeLimit: bigint
  /** The maximum that the address pays in TRX, after its own energy and bandwidth; in sun. */
  readonly trxNeeded: bigint
  /** How much of it the address lacks, in sun. */
  readonly trxMissing: bigint
}

/** A cost, and the part of it that energy alone has at the chain's price, in sun. */
export type SweepQuote = SweepCost & { readonly energyFee: bigint }

/**
 * The states of a sweep transfer. `planned`: unsigned. `signed`: workers send it until a solid block has it or it
 * expires. `solid`: a solid block moved the tokens. `failed`: a solid block has it, and it moved nothing.
 * `expired`: solid blocks are past its expiry without it, so that it never moves anything.
 */
export const sweepStatuses = ['planned', 'signed', 'solid', 'failed', 'expired'] as const
/** The state of a sweep transfer. */
export type SweepStatus = (typeof sweepStatuses)[number]
/** A state that is final. */
export type EndedSweepStatus = Exclude<SweepStatus, 'planned' | 'signed'>

/** The values of `SweepProblem`. */
export const sweepProblems = ['TRX_MISSING', 'FEE_LIMIT_TOO_LOW', 'TRANSFER_REVERTS', 'NODE_REFUSES'] as const
/**
 * Why a signed transfer was not sent at the last attempt. `TRX_MISSING`: its address cannot pay.
 * `FEE_LIMIT_TOO_LOW`: energy costs more than when it was planned. `TRANSFER_REVERTS`: it would move nothing.
 * `NODE_REFUSES`: the node did not accept it.
 */
export type SweepProblem = (typeof sweepProblems)[number]

/** The transfer of the whole balance of one top-up address to the treasury. */
export type SweepTransfer = UnsignedTransfer &
  SweepCost & {
    /** `swp_` and a ULID. */
    readonly id: string
    readonly batchId: string
    readonly account: ChainAccount
    readonly address: string
    /** The address's index in the derivation path. */
    readonly index: number
    readonly amount: Usdt
    readonly status: SweepStatus
    /** 65 bytes in hex: r, s and the recovery bit; null while it is unsigned. */
    readonly signature: string | null
    /** When a node accepted it first. */
    readonly sentAt: Date | null
    readonly problem: SweepProblem | null
    readonly endedAt: Date | null
  }

/** Transfers that were planned together. */
export type SweepBatch = {
  /** `swb_` and a ULID. */
  readonly id: string
  readonly chain: Chain
  readonly treasury: { readonly account: ChainAccount; readonly address: string }
  /** Addresses with a lower balance are left alone. */
  readonly threshold: Usdt
  /** The operator token's name. */
  readonly createdBy: string
  readonly createdAt: Date
  /** When its transfers expire. */
  readonly expiresAt: Date
}

/** A batch with its transfers, by derivation index. */
export type SweepPlan = { readonly batch: SweepBatch; readonly transfers: readonly SweepTransfer[] }

/** Sums over transfers: tokens, and TRX in sun. */
export type SweepTotals = {
  readonly count: number
  readonly amount: bigint
  readonly trxNeeded: bigint
  readonly trxMissing: bigint
}

/** The sums of these transfers. */
export const sweepTotals = (
  transfers: readonly Pick<SweepTransfer, 'amount' | 'trxNeeded' | 'trxMissing'>[],
): SweepTotals => {
  const sum = (of: (transfer: (typeof transfers)[number]) => bigint): bigint =>
    transfers.reduce((total, each) => total + of(each), 0n)
  return {
    count: transfers.length,
    amount: sum(({ amount }) => amount.minor),
    trxNeeded: sum(({ trxNeeded }) => trxNeeded),
    trxMissing: sum(({ trxMissing }) => trxMissing),
  }
}

/** Whether a transfer may still move tokens: its address gets no other one. */
export const isLiveSweep = ({ status }: Pick<SweepTransfer, 'status'>): boolean =>
  status === 'planned' || status === 'signed'
