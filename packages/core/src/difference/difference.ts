import type { Alert } from '../alert.ts'
import type { Money } from '../money.ts'

/** The sorts of differences between payouts and the network's statement. */
export type StatementDifferenceKind =
  /** The network paid a reference that no payout has. */
  | 'unknown_here'
  /** The network paid a payout that is not `completed`. */
  | 'not_completed'
  /** The network paid another amount. */
  | 'other_amount'
  /** The network paid twice for one payout. */
  | 'paid_twice'
  /** The network paid at a time at which the payout was not open. */
  | 'other_time'
  /** The payout is `completed`, and the statement has no payment. */
  | 'absent_there'
  /** Money of the payout's payment came back, and no refund has booked it. */
  | 'returned'

/** Every check that finds differences. */
export const differenceChecks = ['ledger', 'audit', 'network', 'chain', 'liquidity', 'report'] as const
/**
 * A check: `ledger` compares the ledger with its sources; `audit` verifies the audit log; `network` compares
 * payouts with the QR network's statement; `chain` compares balances of top-up addresses with the ledger;
 * `liquidity` compares the network's balance with a floor; `report` recomputes the reports of a day.
 */
export type DifferenceCheck = (typeof differenceChecks)[number]

/** The kind of a difference of `network`: the network contradicts a payout that has ended. */
export const contradiction = 'contradicts'

/**
 * The kinds of differences that processes find, by check. The store finds those of the ledger and of the audit log
 * itself, but for a credit that the chain does not show.
 */
export const foundKinds: Readonly<Record<DifferenceCheck, readonly string[]>> = {
  ledger: ['credit'],
  audit: [],
  network: [
    'unknown_here',
    'not_completed',
    'other_amount',
    'paid_twice',
    'other_time',
    'absent_there',
    'returned',
    contradiction,
  ] satisfies readonly (StatementDifferenceKind | typeof contradiction)[],
  chain: ['short', 'surplus', 'unread'],
  liquidity: ['below_floor'],
  report: ['revenue', 'volume', 'statement'],
}

/** The alert of a difference. */
export const differenceAlert = ({ check, kind }: Pick<FoundDifference, 'check' | 'kind'>): Alert['code'] =>
  check === 'network' && kind === contradiction ? 'NETWORK_CONTRADICTS' : differenceAlerts[check]

const differenceAlerts: Readonly<Record<DifferenceCheck, Alert['code']>> = {
  ledger: 'LEDGER_DIFFERENCE',
  audit: 'LEDGER_DIFFERENCE',
  network: 'NETWORK_DIFFERENCE',
  chain: 'CHAIN_DIFFERENCE',
  liquidity: 'LIQUIDITY_LOW',
  report: 'LEDGER_DIFFERENCE',
}

/** A finding of a run of a check. `check`, `kind` and `subject` identify it: seen again it is the same difference. */
export type FoundDifference = {
  /** `dif_` and a ULID. Used when the difference is not on record yet. */
  readonly id: string
  readonly check: DifferenceCheck
  /** A code for this sort of difference, such as `missing_here`. */
  readonly kind: string
  /** The scope of one run of the check, such as a day of a statement; empty when a run covers everything. */
  readonly scope: string
  /** Null when no single tenant is concerned. */
  readonly tenantId: string | null
  /** The id of the wallet, payout, deposit, key, address, statement line, … */
  readonly subject: string
  /** A text for an operator, with both amounts. */
  readonly detail: string
  /** Null when there is no amount, or nothing on this side. Of the same currency as `found`. */
  readonly expected: Money | null
  readonly found: Money | null
}

/** Why an operator closed a difference, and the executed proposal that corrected it, if any. */
export type DifferenceClosure = {
  /** The operator token's name. */
  readonly by: string
  readonly at: Date
  readonly reason: string
  readonly proposalId: string | null
}

/**
 * A difference on record. `gone`: a later run did not find it any more. A closed one stays closed while runs
 * find it unchanged.
 */
export type Difference = FoundDifference & {
  readonly foundAt: Date
  /** The instant of the last run that found it. */
  readonly lastSeenAt: Date
  /** The first run that did not find it; null while it persists. */
  readonly goneAt: Date | null
  readonly closure: DifferenceClosure | null
  readonly status: DifferenceStatus
  /** Increases with every difference that is new or has changed, in commit order: an alert is due. */
  readonly change: bigint
}

/** The states of a difference. */
export const differenceStatuses = ['open', 'gone', 'closed'] as const
/** The state of a difference. */
export type DifferenceStatus = (typeof differenceStatuses)[number]

/** `closed` once an operator closed it; otherwise `gone` once a run has not found it. */
export const differenceStatus = ({ goneAt, closure }: Pick<Difference, 'goneAt' | 'closure'>): DifferenceStatus => {
  if (closure !== null) return 'closed'
  return goneAt === null ? 'open' : 'gone'
}

/**
 * Whether a run that sees a difference again sees it unchanged: by the same amount, also when both amounts have moved;
 * without two amounts, with the same detail. The network's liquidity is below its floor or not, by whatever amount.
 */
export function isSameDifference(stored: FoundDifference, seen: FoundDifference): boolean {
  if (stored.check === 'liquidity') return true
  const [before, now] = [offBy(stored), offBy(seen)]
  return before === null || now === null ? stored.detail === seen.detail : before === now
}

const offBy = ({ expected, found }: FoundDifference): bigint | null =>
  expected === null || found === null ? null : found.minor - expected.minor
