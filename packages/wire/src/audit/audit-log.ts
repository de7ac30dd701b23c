import type { Page, PageQuery } from '@quipu/core'
import type { AuditCheckpoint, AuditQuery, AuditRecord } from '@quipu/core/operator'
import { z } from 'zod'
import { time } from '../json/answer.ts'
import { queryMembers, text } from '../json/fields.ts'
import { id } from '../json/identifier.ts'
import { instantToJson } from '../json/instant.ts'
import { rowToJson } from '../json/row-to-json.ts'
import type { Parsed } from '../json/parsed.ts'
import { parseList, periodOf } from '../list/filtered-list.ts'
import { type ListRequest, pageOf } from '../list/list.ts'

/** The number of an audit entry, as text. */
export const auditId: z.ZodString = z
  .string()
  .regex(/^(?:0|[1-9][0-9]{0,18})$/)
  .meta({ examples: ['12'] })

export const auditHashText: z.ZodString = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ description: 'Lowercase hex SHA-256.', examples: ['5e'.repeat(32)] })

const state = z.record(z.string(), z.unknown()).nullable()

export const auditEntry = z
  .object({
    id: auditId.meta({ description: '1, 2, 3, … without a gap.' }),
    at: time,
    actor: z
      .string()
      .nullable()
      .meta({ description: 'The person. Null: the operator’s token was missing or unknown.' }),
    token_id: z
      .string()
      .nullable()
      .meta({
        description: 'The id of the operator token that was presented; null where none was.',
        examples: ['opt_01K6HZ8M00000000000000000A'],
      }),
    address: z
      .string()
      .nullable()
      .meta({ description: 'The source address of the request; null where it had none.', examples: ['203.0.113.7'] }),
    session: z
      .string()
      .nullable()
      .meta({
        description: 'The fingerprint of the console’s session; null where the token itself was sent.',
        examples: ['5e5e5e5e5e5e5e5e'],
      }),
    action: z.string().meta({ examples: ['tenant.update'] }),
    tenant_id: z.string().nullable(),
    subject: z
      .string()
      .meta({ description: 'The id of the object that was changed, or that a refused request named.' }),
    before: state,
    after: state,
    hash: auditHashText.meta({ description: 'Covers this entry and every entry before it.' }),
  })
  .meta({ id: 'AuditEntry', description: 'An action of an operator. Entries never change.' })
export type AuditEntryJson = z.output<typeof auditEntry>

export const auditEntryToJson = (record: AuditRecord): AuditEntryJson =>
  rowToJson(auditEntry, record, { id: record.id.toString() })

export const auditPage = pageOf(auditEntry, 'AuditPage')

/** Makes a page of records that were read with one more than the page's limit. */
export function auditPageOf(records: readonly AuditRecord[], limit: number): Page<AuditRecord> {
  const items = records.slice(0, limit)
  const last = items.at(-1)
  const hasMore = records.length > limit && last !== undefined
  return { items, next: hasMore ? { createdAt: last.at, id: last.id.toString() } : null }
}

export const auditListQuery = queryMembers({
  tenant_id: id('ten').optional(),
  actor: text(1, 64)
    .meta({ description: 'The name of a person.', examples: ['ana'] })
    .optional(),
  token_id: id('opt').meta({ description: 'What the bearer of this operator token did.' }).optional(),
  action: text(1, 64)
    .meta({ examples: ['tenant.update'] })
    .optional(),
  subject: text(1, 512)
    .meta({ examples: ['ten_01K6HZ8M00000000000000000A'] })
    .optional(),
  ...periodOf('Recorded'),
})

/** A page of the audit log. */
export type AuditListQuery = PageQuery & Omit<AuditQuery, 'limit' | 'before'>

/** Reads the query of `GET /operator/v1/audit-log`. */
export const parseAuditList = (search: URLSearchParams | string): Parsed<ListRequest<AuditListQuery>> =>
  parseList(auditListQuery, ['audit_log', 'operator'], search)

/** Reads the entries of a page, and one more. */
export const auditQueryOf = ({ limit, after, ...filters }: AuditListQuery): AuditQuery => ({
  ...filters,
  limit: limit + 1,
  ...(after && { before: BigInt(after.id) }),
})

/** The member `audit_checkpoint` of a log line. */
export const checkpointToJson = ({ id, hash, at, signature }: AuditCheckpoint) => ({
  id: id.toString(),
  hash,
  at: instantToJson(at),
  signature,
})
