import type { NoticeSource, TenantNotice } from './notice.ts'

/** The right to send the next notice. */
export type NoticeClaim = { readonly fencingToken: number }

/** The next notice, under a claim. */
export type ClaimedNotice = {
  readonly claim: NoticeClaim
  /** Failed attempts at this notice since the last accepted one. */
  readonly failedAttempts: number
  readonly source: NoticeSource
}

/**
 * The place up to which notices were accepted: in the audit log, and among the expiries of keys. The audit log is
 * their outbox, so an event has its notice in the commit that makes it. Every method throws `Unavailable` when the
 * database cannot be read or written.
 */
export type NoticeStore = {
  /**
   * Claims the next notice: of the oldest audit entry past the place that has one (`isNoticed`); without one, of the
   * next active key that expires within `noticeDaysBeforeExpiry`. A key whose expiry came within that time by an
   * entry has the notice of that entry only. Undefined when none is due, one is claimed, or the last attempt's pause
   * is not over.
   */
  claim(leaseSeconds: number): Promise<ClaimedNotice | undefined>
  /** Moves the place past the notice; `stale` when a newer claim exists, or its attempt was recorded as failed. */
  accept(claim: NoticeClaim): Promise<'committed' | 'stale'>
  /** Makes the notice due again after `inMs`; `stale` as for `accept`. */
  retry(claim: NoticeClaim, inMs: number): Promise<'committed' | 'stale'>
}

/** The outcome of an attempt to hand a notice over. */
export type NoticeResult =
  | { readonly type: 'accepted' }
  /** The notice can never be sent, such as to an address that does not exist; `detail` says why. */
  | { readonly type: 'refused'; readonly detail: string }
  /** To be tried again: no answer, or a failure; `detail` says which. */
  | { readonly type: 'failed'; readonly detail: string }

/**
 * Hands notices over to the operator's mail gateway, at least once each. Never throws.
 *
 * A repetition has the same id; the gateway sends nothing again for it.
 */
export type NoticeSender = { send(notice: TenantNotice): Promise<NoticeResult> }
