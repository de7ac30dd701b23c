import type { Alert, RaiseAlert } from '../alert.ts'
import type { ProcessingPayout } from './payout.ts'

/** The detail of the last alert of each code about a payout. */
export type RaisedAlerts = Readonly<Partial<Record<Alert['code'], string>>>

/** Alerts about one payout in `processing`. */
export type PayoutAlerts = {
  /** Raises the alert unless the last one of its code had the same detail. */
  raise(code: Alert['code'], detail: string): void
  /** The details of all alerts raised until now, by this claim and earlier ones. */
  raised(): RaisedAlerts
}

/** Collects the alerts of one claim, on top of those raised before. */
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
