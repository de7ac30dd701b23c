import type { Clock, RaiseAlert } from '@quipu/core'
import {
  type AuditCheckpoint,
  type AuditLog,
  type AuditPosition,
  signCheckpoint,
  verifyAuditLog,
} from '@quipu/core/operator'

export type AuditCheckpointPorts = {
  readonly audit: Pick<AuditLog, 'list' | 'verify'>
  readonly now: Clock
  readonly raiseAlert: RaiseAlert
  /** Writes the checkpoint to the log. */
  readonly write: (checkpoint: AuditCheckpoint) => void
}

/**
 * A task that signs the newest position of the audit log. From its second run on it first verifies the
 * entries since its last checkpoint; while these have a flaw, it raises an alert and signs nothing.
 *
 * The first checkpoint of a process is the newest entry; the ledger check verifies the entries before it.
 */
export function auditCheckpoints(
  { audit, now, raiseAlert, write }: AuditCheckpointPorts,
  key: Uint8Array,
): () => Promise<void> {
  let last: AuditPosition | undefined

  const newest = async (): Promise<AuditPosition | undefined> => {
    if (last === undefined) return (await audit.list({ limit: 1 }))[0]
    const { flaw, verified } = await verifyAuditLog(audit, last, Infinity)
    if (flaw === null) return verified
    const subject = `audit_log ${flaw.id}`
    raiseAlert({ code: 'LEDGER_DIFFERENCE', tenantId: null, subject, detail: flaw.detail })
    return undefined
  }

  return async () => {
    const position = await newest()
    if (position === undefined) return
    last = { id: position.id, hash: position.hash }
    write(signCheckpoint(key, position, now()))
  }
}
