/** The subject of a run: `network`, payouts with the QR network's statement; `chain`, deposits with token balances. */
export const reconciliationChecks = ['network', 'chain'] as const
/** A check that runs slice by slice. */
export type ReconciliationCheck = (typeof reconciliationChecks)[number]

/** A period in time. `to` is exclusive. */
export type ReconciledPeriod = { readonly from: Date; readonly to: Date }

const dayMs = 86_400_000

/** A UTC day, such as `2026-11-21`. */
export function periodOfDay(day: string): ReconciledPeriod {
  const from = new Date(day)
  return { from, to: new Date(from.getTime() + dayMs) }
}

/** The statement is compared in slices of this length, from midnight UTC on. */
export const statementSliceMs: number = 30 * 60_000

/** The start of the slice that contains this instant. */
export const sliceStart = (at: Date): Date => new Date(at.getTime() - (at.getTime() % statementSliceMs))

/** A new run. */
export type NewReconciliationRun = {
  /** `rcn_` and a ULID. */
  readonly id: string
  readonly check: ReconciliationCheck
  /** The payments that a `network` run compares; null for `chain`, which compares every top-up address. */
  readonly period: ReconciledPeriod | null
  /** The UTC day, such as `2026-11-21`, for which a worker scheduled it; null when an operator requested it. */
  readonly scheduledFor: string | null
  /** The operator token's name; null when a worker scheduled it. */
  readonly requestedBy: string | null
  readonly createdAt: Date
  /** Where the next slice begins. `network`: milliseconds since 1970; `chain`: the index of a top-up address. */
  readonly position: number
}

/** A run and its progress. */
export type ReconciliationRun = NewReconciliationRun & {
  /** The number of completed slices. */
  readonly slices: number
  /** The number of statement lines, or of balances, that these slices have compared. */
  readonly compared: number
  /** The number of differences that they have found, those already on record included. */
  readonly differences: number
  readonly completedAt: Date | null
  /** Why the last slice failed, which is repeated; null when the last one succeeded. */
  readonly failure: string | null
  /** Made by the process that recorded the last slice (`runMac`); null when it had no keys, and before the first slice. */
  readonly mac: string | null
}

/** A lease on a run. Every claim has a higher fencing token. */
export type ReconciliationClaim = { readonly id: string; readonly fencingToken: number }

/** A claimed run. */
export type ClaimedReconciliation = { readonly claim: ReconciliationClaim; readonly run: ReconciliationRun }

/** The counts of one slice. */
export type ReconciledSlice = {
  /** Where the next slice begins. */
  readonly position: number
  readonly compared: number
  readonly differences: number
  /** Completes the run. */
  readonly isLast: boolean
}
