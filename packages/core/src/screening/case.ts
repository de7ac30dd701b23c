import type { Page, PageQuery } from '../page.ts'
import type { ScreeningKind, ScreeningList } from './screening.ts'

/** The decisions of two people: the subject is not the listed one, or it is. */
export const screeningDecisions = ['cleared', 'confirmed'] as const
/** A decision of two people. */
export type ScreeningDecision = (typeof screeningDecisions)[number]

/** The states of a case. `answered`: screening that had not answered does again. */
export const screeningCaseStatuses = ['open', 'cleared', 'confirmed', 'answered'] as const
/** The state of a case. */
export type ScreeningCaseStatus = (typeof screeningCaseStatuses)[number]

/** A subject that is listed, or that screening did not answer about. */
export type ScreeningHit = ScreeningList & {
  readonly kind: ScreeningKind
  readonly outcome: 'listed' | 'unanswered'
  /** `subjectKey`; empty when screening gave no answer: an outage is one case a kind. */
  readonly subject: string
  /** The texts that were screened. */
  readonly name: string
  /** The tenant that it happened to first: the receiver of the deposit, the payer of the merchant, the tenant itself. */
  readonly tenantId: string | null
  /** The list's reason, or why there is no answer. */
  readonly reason: string
  /** The deposit or tenant that it happened to last; null for a merchant. */
  readonly reference: string | null
  /** How often it happened since the last one that was stored, at least 1. */
  readonly hits: number
}

/** One case for all hits of a subject on a list for a reason: people decide once, and it holds for the next hit. */
export type ScreeningCase = Omit<ScreeningHit, 'hits'> & {
  readonly id: string
  /** All hits. */
  readonly hits: number
  readonly createdAt: Date
  /** Later than its creation when an outage came again. */
  readonly openedAt: Date
  readonly lastHitAt: Date
  readonly status: ScreeningCaseStatus
  readonly decidedAt: Date | null
  /** Who approved the decision; the proposal has the proposer, the reason and the evidence. */
  readonly decidedBy: string | null
  readonly proposalId: string | null
}

/** A page of cases, filtered. */
export type ScreeningCaseQuery = PageQuery & {
  readonly status?: ScreeningCaseStatus
  readonly kind?: ScreeningKind
  readonly tenantId?: string
}

/** Stores cases. Every method throws `Unavailable` when the database cannot be read or written. */
export type ScreeningStore = {
  /**
   * Opens the hit's case, or counts it there; nothing is written to one that is `cleared`. A case that was `answered`
   * opens again. A listed tenant that is active is suspended by the same commit, with an audit entry.
   *
   * @param id  of a new case
   */
  hit(id: string, hit: ScreeningHit): Promise<{ readonly found: ScreeningCase; readonly isNew: boolean }>
  find(id: string): Promise<ScreeningCase | undefined>
  /** Newest first by (`createdAt`, `id`). */
  list(query: ScreeningCaseQuery): Promise<Page<ScreeningCase>>
  /** Open cases of outages: at most one a kind and provider. */
  outages(): Promise<readonly ScreeningCase[]>
  /** Ends the open case of an outage of this kind. */
  answered(kind: ScreeningKind): Promise<void>
}
