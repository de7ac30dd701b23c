import type { AuditFlaw, AuditLog, AuditPosition } from './ports.ts'

/** The result of a walk over the audit log. */
export type AuditVerification = {
  /** Null: every entry of the walk follows from the one before it. */
  readonly flaw: AuditFlaw | null
  /** The last entry that follows from all before it; where a later walk resumes. */
  readonly verified: AuditPosition
  /** Whether the walk has reached the newest entry. */
  readonly isComplete: boolean
}

const sliceSize = 1_000

/**
 * Walks the audit log, slice by slice, to its newest entry, its first flaw, or at most `entries` further.
 *
 * @param from  `auditStart`, or a position that was verified before; it is a flaw when the log does not
 *   contain it any more
 */
export async function verifyAuditLog(
  audit: Pick<AuditLog, 'verify'>,
  from: AuditPosition,
  entries: number,
): Promise<AuditVerification> {
  let verified = from
  for (let left = entries; left > 0; left -= sliceSize) {
    const size = Math.min(left, sliceSize)
    const slice = await audit.verify(verified, size)
    verified = slice.verified
    const isComplete = slice.flaw === null && slice.count < size
    if (slice.flaw !== null || isComplete) return { flaw: slice.flaw, verified, isComplete }
  }
  return { flaw: null, verified, isComplete: false }
}

/** Whether the log contains the entry of a checkpoint, with the same hash. */
export const containsEntry = async (audit: Pick<AuditLog, 'verify'>, position: AuditPosition): Promise<boolean> =>
  (await audit.verify(position, 0)).flaw === null
