import type { Credential } from '../access/operator.ts'
import type { Page, PageQuery } from '../page.ts'
import type { Evidence } from '../proposal/proposal.ts'
import type { Movement, NewMovement } from './movement.ts'

/** The reversal of a movement. */
export type Reversal = {
  /** `trm_` and a ULID. */
  readonly id: string
  /** The movement that it undoes. */
  readonly of: string
  readonly reason: string
  readonly evidence: Evidence
}

/** Stores the operator's own movements. Every method throws `Unavailable` when the database cannot be read or written. */
export type TreasuryStore = {
  /**
   * Records a movement in the name of the person whose token is presented, with the audit entry `auditMovement`. Nothing
   * was written when it is `recorded`, as one of this kind and reference that was not reversed is on record, or
   * `unauthorized`: without the active token of an operator.
   */
  record(movement: NewMovement, at: Date, by: Credential): Promise<'committed' | 'recorded' | 'unauthorized'>
  /** Likewise, with the opposite of an earlier movement. `stale`: it is unknown, reversed, or a reversal itself. */
  reverse(reversal: Reversal, at: Date, by: Credential): Promise<'committed' | 'stale' | 'unauthorized'>
  find(id: string): Promise<Movement | undefined>
  /** Newest first by (`createdAt`, `id`), which are the position in a page. */
  list(query: PageQuery): Promise<Page<Movement>>
}
