import type { ChainAccount, Chain, SignedTransfer } from '../chain/chain.ts'
import { type Usdt, usdt } from '../money.ts'

/** The faucet's limits, over rolling windows of `windowSeconds`. */
export type FaucetLimits = {
  readonly perRequest: Usdt
  readonly perTenant: Usdt
  readonly requestsPerTenant: number
  /** To one receiving address, from all tenants. */
  readonly perAddress: Usdt
  /** To all addresses, from all tenants. */
  readonly shared: Usdt
  /** The minimum time between two accepted requests of a tenant. */
  readonly spacingSeconds: number
  readonly windowSeconds: number
}

/** The default limits. @source spec §8; the shared total is assumed */
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

/** The accepted requests that count against the limits. */
export type FaucetUsage = {
  /** The tenant's; a send that failed on the chain counts with an amount of 0. */
  readonly tenant: readonly FaucetUse[]
  readonly address: readonly FaucetUse[]
  /** The sends of all tenants; may be summed by minute, with the last instant of each minute as `at`. */
  readonly shared: readonly FaucetUse[]
}

/** `failed`: the transfer moved nothing, or expired without a block. */
export type FaucetStatus = 'submitted' | 'confirmed' | 'failed'

/** An accepted faucet request. @source spec §2 Faucet record */
export type FaucetSend = {
  /** A UUID. */
  readonly id: string
  readonly tenantId: string
  /** The stored form of the request's `Idempotency-Key`. */
  readonly key: string
  /** Digest of the request's body: distinguishes a repeated request from another one with the same key. */
  readonly fingerprint: string
  readonly chain: Chain
  readonly account: ChainAccount
  readonly address: string
  readonly amount: Usdt
  readonly transfer: SignedTransfer
  readonly status: FaucetStatus
  /** As in the first answer; a replay answers the same. */
  readonly remainingToday: Usdt
  readonly createdAt: Date
}

/** A signed send that is not accepted yet. */
export type FaucetDraft = Omit<FaucetSend, 'status' | 'remainingToday' | 'createdAt'>
