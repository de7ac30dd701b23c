import { type AuditCheckpoint, type AuditPosition, auditStart, type AuditVerification } from '@quipu/core/operator'
import { z } from 'zod'
import { matching, queryMembers } from '../json/fields.ts'
import { isInstant } from '../json/instant.ts'
import { mapParsed, type Parsed } from '../json/parsed.ts'
import { parseQuery } from '../json/query.ts'
import { auditHashText, auditId } from './audit-log.ts'

/** How many entries one request verifies at most. */
export const verifiedEntriesMax = 50_000

/** For the document. */
const exampleCheckpoint = JSON.stringify({
  id: '12',
  hash: '5e'.repeat(32),
  at: '2026-11-20T15:04:05.000Z',
  signature: 'c7'.repeat(32),
})

const position = z.object({ id: auditId, hash: auditHashText })

export const auditVerification = z
  .object({
    flaw: z
      .object({ id: auditId, detail: z.string() })
      .nullable()
      .meta({ description: 'The first entry that was changed, removed or inserted; null: none was found.' }),
    verified: position.meta({ description: 'The last entry whose hash matches all entries before it.' }),
    resume_after: z
      .string()
      .nullable()
      .meta({ description: 'The `after` of the next request; null after the newest entry or a flaw.' }),
    checkpoint: z
      .object({
        contained: z
          .boolean()
          .meta({ description: 'Whether the log has the entry of the checkpoint, with the same hash.' }),
        signed: z
          .boolean()
          .nullable()
          .meta({ description: 'Whether `AUDIT_CHECKPOINT_KEY` signed it; null: the API has no key.' }),
      })
      .nullable()
      .meta({ description: 'Null without a checkpoint in the request.' }),
  })
  .meta({ id: 'AuditVerification' })
export type AuditVerificationJson = z.output<typeof auditVerification>

/** How the checkpoint of a request compares with the log. */
export type CheckpointResult = { readonly contained: boolean; readonly signed: boolean | null }

export const auditVerificationToJson = (
  { flaw, verified, isComplete }: AuditVerification,
  checkpoint: CheckpointResult | null,
): AuditVerificationJson => ({
  flaw: flaw && { id: flaw.id.toString(), detail: flaw.detail },
  verified: { id: verified.id.toString(), hash: verified.hash },
  resume_after: flaw || isComplete ? null : `${verified.id}.${verified.hash}`,
  checkpoint: checkpoint && { ...checkpoint },
})

const checkpointPattern =
  /^\{"id":"([1-9][0-9]{0,17})","hash":"([0-9a-f]{64})","at":"([0-9-]{10}T[0-9:.]{12}Z)","signature":"([0-9a-f]{64})"\}$/

function readCheckpoint(json: string): AuditCheckpoint | undefined {
  const [, id = '', hash = '', at = '', signature = ''] = checkpointPattern.exec(json) ?? []
  return isInstant(at) ? { id: BigInt(id), hash, at: new Date(at), signature } : undefined
}

const checkpointRule = 'must be the member audit_checkpoint of a log line of a worker, unchanged'
const afterPattern = /^([1-9][0-9]{0,17})\.([0-9a-f]{64})$/

export const auditVerificationQuery = queryMembers({
  after: matching(afterPattern, 'must be the resume_after of the previous request')
    .meta({
      description: 'The `resume_after` of the previous request. Without it: from the first entry.',
      examples: [`50000.${'5e'.repeat(32)}`],
    })
    .optional(),
  checkpoint: matching(checkpointPattern, checkpointRule)
    .refine((json) => readCheckpoint(json) !== undefined)
    .meta({
      description: 'The member `audit_checkpoint` of a log line of a worker, as JSON.',
      examples: [exampleCheckpoint],
    })
    .optional(),
})

/** The query of `GET /operator/v1/audit-log/verification`: a part of the chain after `from`. */
export type AuditVerificationRequest = {
  readonly from: AuditPosition
  readonly checkpoint: AuditCheckpoint | undefined
}

/** Reads the query of `GET /operator/v1/audit-log/verification`. */
export const parseAuditVerification = (search: URLSearchParams | string): Parsed<AuditVerificationRequest> =>
  mapParsed(parseQuery(auditVerificationQuery, search), ({ after = '', checkpoint = '' }) => {
    const [, id, hash] = afterPattern.exec(after) ?? []
    return {
      from: id === undefined || hash === undefined ? auditStart : { id: BigInt(id), hash },
      checkpoint: readCheckpoint(checkpoint),
    }
  })
