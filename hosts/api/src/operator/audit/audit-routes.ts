import type { IRouter } from 'express'
import {
  type AuditCheckpoint,
  type AuditLog,
  containsEntry,
  isCheckpointSigned,
  verifyAuditLog,
} from '@quipu/core/operator'
import {
  auditEntryToJson,
  auditPageOf,
  auditQueryOf,
  auditVerificationToJson,
  type CheckpointResult,
  parseAuditList,
  parseAuditVerification,
  verifiedEntriesMax,
} from '@quipu/wire'
import { bind } from '../../http/routing.ts'
import { allowed, allowedPage } from '../allowed.ts'

export type AuditRoutes = {
  readonly audit: Pick<AuditLog, 'list' | 'verify'>
  /** Signs checkpoints. Undefined: their signatures are not verified. */
  readonly checkpointKey: Uint8Array | undefined
}

/** The audit log and its verification. */
export function auditRoutes(router: IRouter, { audit, checkpointKey }: AuditRoutes): void {
  bind(router, '/operator/v1/audit-log', {
    get: allowedPage('auditor', {
      query: parseAuditList,
      list: async (query) => auditPageOf(await audit.list(auditQueryOf(query)), query.limit),
      toJson: auditEntryToJson,
    }),
  })

  bind(router, '/operator/v1/audit-log/verification', {
    get: allowed('auditor', {
      query: parseAuditVerification,
      async handle(_actor, { query: { from, checkpoint } }) {
        const verification = await verifyAuditLog(audit, from, verifiedEntriesMax)
        const result = checkpoint ? await resultOf(checkpoint) : null
        return { status: 200, json: auditVerificationToJson(verification, result) }
      },
    }),
  })

  const resultOf = async (checkpoint: AuditCheckpoint): Promise<CheckpointResult> => ({
    contained: await containsEntry(audit, checkpoint),
    signed: checkpointKey === undefined ? null : isCheckpointSigned(checkpointKey, checkpoint),
  })
}
