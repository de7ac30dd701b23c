import type { AlertStatus, RaisedAlert } from '@quipu/core/operator'

/** An alert, and how far the gateway was notified of it. */
export type AlertRow = {
  alert: RaisedAlert
  readonly isFault: boolean
  readonly lasts: boolean
  seenAt: Date
  lookedAt: Date
  endedAt: Date | null
  sent: number
  acceptedAt: Date | null
  /** Null when no message is due any more. */
  dueAt: Date | null
  failedAttempts: number
  repeatSeconds: number
  fencingToken: number
  claimedAs: AlertStatus | null
}

export type OperatorAlertTable = { readonly byId: Map<string, AlertRow>; claims: number }

export const operatorAlertTable = (): OperatorAlertTable => ({ byId: new Map(), claims: 0 })
