import type { Page } from '@quipu/core'
import type { Proposal, ProposalQuery } from '@quipu/core/operator'
import { type Database, type Statement, statement } from '../connection/database.ts'
import { keysetOf, pageOf } from '../page.ts'
import { proposalColumns, proposalFromRow, type ProposalRow } from './proposal-row.ts'

// One statement for each index. Parameters: $1 and $2 the row before the page, $3 number of rows, $4 action, $5 stored
// status, $6 whether an open one has expired, $7 the instant that decides it, $8 tenant, $9 subject.

const listing = (name: string, where: string): Statement => statement(name)`
  select ${proposalColumns} from quipu.proposal p
  where ${where} and (p.created_at, p.id) < ($1, $2) and ($4::text is null or p.action = $4)
    and ($6::boolean is null or (p.expires_at <= $7::timestamptz) = $6)
  order by p.created_at desc, p.id desc limit $3`

const isOfStatus = '($5::text is null or p.status = $5)'
const list = listing('proposal.list', '$5::text is null and $8::text is null and $9::text is null')
const listByStatus = listing('proposal.list_by_status', 'p.status = $5 and $8::text is null and $9::text is null')
const listOfTenant = listing('proposal.list_of_tenant', `p.tenant_id = $8 and ${isOfStatus} and $9::text is null`)
const listOfSubject = listing(
  'proposal.list_of_subject',
  `p.subject = $9 and ${isOfStatus} and ($8::text is null or p.tenant_id = $8)`,
)

/** Proposals, newest first. `expired` is not stored: it is `open` and older than its `expires_at`. */
export async function listProposals(
  database: Database,
  { status, now, tenantId, action, subject, ...query }: ProposalQuery,
): Promise<Page<Proposal>> {
  const stored = status === 'expired' ? 'open' : status
  const isExpired = stored === 'open' ? status === 'expired' : null
  const values = [...keysetOf(query), action, stored, isExpired, now, tenantId, subject]
  const ofAll = stored === undefined ? list : listByStatus
  const ofScope = tenantId === undefined ? ofAll : listOfTenant
  const statement = subject === undefined ? ofScope : listOfSubject
  const rows = await database.list<ProposalRow>(
    statement,
    values.map((value) => value ?? null),
  )
  return pageOf(rows.map(proposalFromRow), query.limit)
}
