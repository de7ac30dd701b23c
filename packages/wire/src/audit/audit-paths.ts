import type { AuditRecord } from '@quipu/core/operator'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { operation } from '../openapi/operation.ts'
import { lastPage, ok } from '../openapi/answers.ts'
import * as example from '../openapi/example.ts'
import { auditEntryToJson, auditListQuery, auditPage, parseAuditList } from './audit-log.ts'
import {
  auditVerification,
  auditVerificationQuery,
  auditVerificationToJson,
  parseAuditVerification,
  verifiedEntriesMax,
} from './audit-verification.ts'

const tag = 'Audit log'
const hash = '5e'.repeat(32)
const suspended: AuditRecord = {
  id: 12n,
  hash,
  actor: 'ana',
  action: 'tenant.suspend',
  tokenId: 'opt_01K6HZ8M00000000000000000A',
  address: '203.0.113.7',
  session: null,
  tenantId: example.tenant.id,
  subject: example.tenant.id,
  at: example.position.createdAt,
  before: { status: 'active' },
  after: { status: 'suspended' },
}

const list = operation({
  id: 'listAuditLog',
  tag,
  summary: 'List the audit log, newest first',
  access: 'operator',
  query: auditListQuery,
  answers: lastPage(auditPage, [suspended], auditEntryToJson),
  refused: parseAuditList('tenant_id=ana&limit=0'),
})

const flaw = { id: 7n, detail: 'the entry was changed or inserted, or the hash of the entry before it was changed' }
const verified = { id: 12n, hash }

const verify = operation({
  id: 'verifyAuditLog',
  tag,
  summary: 'Verify the chain of the audit log',
  description: `Recomputes the hashes of at most ${verifiedEntriesMax.toLocaleString('en-US')} entries. \`resume_after\` continues where a request has ended. A \`checkpoint\` from a copy of the workers’ log exposes removed newest entries and a chain that was computed anew.`,
  access: 'operator',
  query: auditVerificationQuery,
  answers: ok('The result.', auditVerification, {
    intact: auditVerificationToJson({ flaw: null, verified, isComplete: true }, { contained: true, signed: true }),
    flawed: auditVerificationToJson({ flaw, verified: { id: 6n, hash }, isComplete: false }, null),
  }),
  refused: parseAuditVerification('after=7&checkpoint=12'),
})

export const auditPaths: ZodOpenApiPathsObject = {
  '/operator/v1/audit-log': { get: list },
  '/operator/v1/audit-log/verification': { get: verify },
}
