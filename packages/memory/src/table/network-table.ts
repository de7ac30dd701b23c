import type { NetworkConfirmation } from '@quipu/core/operator'

/** Why a network halts, and when a process last presented it. */
export type NetworkHaltRow = { readonly payoutId: string | null; readonly since: Date; readonly seenAt: Date }

/** The networks of a database: confirmations, oldest first, and halts by identity. */
export type NetworkTable = {
  readonly confirmations: NetworkConfirmation[]
  readonly halts: Map<string, NetworkHaltRow>
}

export const networkTable = (): NetworkTable => ({ confirmations: [], halts: new Map() })
