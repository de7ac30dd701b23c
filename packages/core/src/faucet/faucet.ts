import type { ChainAccount, Chain, SignedTransfer } from '../deposit/chain.ts'
import { type Usdt, usdt } from '../money.ts'

/** What the faucet gives at most. The windows roll: each counts what was accepted in the last 24 hours. */
export type FaucetLimits = {
  readonly perRequest: Usdt
  readonly perTenant: Usdt
  readonly requestsPerTenant: number
  /** To one receiving address, whoever asks. */
  readonly perAddress: Usdt
  /** To everybody together. */
  readonly shared: Usdt
  /** Between two accepted requests of a tenant. */
  readonly spacingSeconds: number
  readonly windowSeconds: number
}

/** @source spec §8; the size of the shared total is assumed */
export const defaultFaucetLimits: FaucetLimits = {
  perRequest: usdt(100_000_000n),
  perTenant: usdt(1_000_000_000n),
  requestsPerTenant: 10,
  perAddress: usdt(1_000_000_000n),
  shared: usdt(10_000_000_000n),
  spacingSeconds: 60,
  windowSeconds: 86_400,
}

/** An accepted request in the window. */
export type FaucetUse = { readonly at: Date; readonly amount: Usdt }

/** What counts against the limits: what was accepted in the last 24 hours. */
export type FaucetUsage = {
  /** The tenant's accepted requests; one that failed on the chain counts with an amount of 0. */
  readonly tenant: readonly FaucetUse[]
  readonly address: readonly FaucetUse[]
  /** Everybody's; may be summed up by minute, `at` being the last instant of each. */
  readonly shared: readonly FaucetUse[]
}

export type FaucetStatus = 'submitted' | 'confirmed' | 'failed'

/** A faucet request that was accepted. @source spec §2 Faucet record */
export type FaucetSend = {
  /** A UUID. */
  readonly id: string
  readonly tenantId: string
  /** What the request's `Idempotency-Key` is stored as. */
  readonly key: string
  /** Tells whether a repeated request has the same body. */
  readonly fingerprint: string
  readonly chain: Chain
  readonly account: ChainAccount
  readonly address: string
  readonly amount: Usdt
  readonly transfer: SignedTransfer
  readonly status: FaucetStatus
  /** As it was told at once; a replay tells the same. */
  readonly remainingToday: Usdt
  readonly createdAt: Date
}

/** A send that is signed and not yet accepted. */
export type FaucetDraft = Omit<FaucetSend, 'status' | 'remainingToday' | 'createdAt'>
