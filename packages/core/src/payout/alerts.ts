import type { RaiseAlert, Alert } from '../alert.ts'
import type { ProcessingPayout } from './payout.ts'

/** The detail with which each alert about a payout was last raised. */
export type RaisedAlerts = Readonly<Partial<Record<Alert['code'], string>>>

/** Alerts about one payout in `processing`. */
export type PayoutAlerts = {
  /** Raises the alert, unless it was the last of its code and said the same. */
  raise(code: Alert['code'], detail: string): void
  /** Those of before and those that were raised since. */
  raised(): RaisedAlerts
}

export function payoutAlerts(
  raiseAlert: RaiseAlert,
  { tenantId, id }: ProcessingPayout,
  before: RaisedAlerts,
): PayoutAlerts {
  let raised = before
  return {
    raise(code, detail) {
      if (raised[code] === detail) return
      raised = { ...raised, [code]: detail }
      raiseAlert({ code, tenantId, subject: id, detail })
    },
    raised: () => raised,
  }
}
