import { type DecidedProposal, type ProposalStore, storedAction } from '@quipu/core/operator'
import { answer } from '../answer.ts'
import { type Database, type Statement, statement } from '../connection/database.ts'
import { credentialJson } from '../operator-token/credential.ts'
import { onceFor, type OnceRow, requestValues, usedFromRow } from '../access/remember-request.ts'
import { listProposals } from './proposal-list.ts'
import { proposalColumns, proposalFromRow, type ProposalRow } from './proposal-row.ts'

// Decided by migrations/0023-proposals.sql and migrations/0036-operator-requests.sql.

const openProposal: Statement = {
  name: 'open_proposal',
  text: onceFor('quipu.open_proposal($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)', '$12, $13, $14, $2, $9'),
}

const approveProposal = statement('approve_proposal')`select quipu.approve_proposal($1, $2, $3, $4) as result`

const withdrawProposal = statement('withdraw_proposal')`select quipu.withdraw_proposal($1, $2, $3, $4) as result`

const rejectProposal = statement('reject_proposal')`select quipu.reject_proposal($1, $2, $5, $3, $4) as result`

const failProposal = statement('fail_proposal')`select quipu.fail_proposal($1, $2, $3, $4) as changed`

const findProposal = statement('proposal.find')`select ${proposalColumns} from quipu.proposal p where p.id = $1`

/** Proposals in PostgreSQL. `adjust_wallets` and `resolve_reviews` mark them executed. */
export const postgresProposalStore = (database: Database): ProposalStore => ({
  insert: async (proposal, by, request) => {
    const { type, subject, details } = storedAction(proposal.action)
    const { id, tenantId, reason, evidence, createdAt, expiresAt } = proposal
    const action = [tenantId, id, type, subject, JSON.stringify(details), reason]
    const support = [evidence?.note ?? null, evidence?.digest ?? null]
    const author = [createdAt, expiresAt, proposal.status === 'approved', credentialJson(by)]
    const values = [...action, ...support, ...author, ...requestValues(request)]
    const [row] = await database.write<OnceRow & Opened>(openProposal, values)
    return usedFromRow(row) ?? row?.result ?? 'unauthorized'
  },
  find: async (id) => {
    const [row] = await database.read<ProposalRow>(findProposal, [id])
    return row && proposalFromRow(row)
  },
  list: (query) => listProposals(database, query),
  commit: (proposal, by) => {
    const [statement, at, ...more] = stepOf(proposal)
    const values = [proposal.tenantId, proposal.id, credentialJson(by), at, ...more]
    return answer(database.write, statement, values)
  },
  fail: async ({ tenantId, id, failure: { code, at } }) => {
    const [row] = await database.write<{ changed: boolean }>(failProposal, [tenantId, id, code, at])
    return row?.changed ? 'committed' : 'stale'
  },
})

type Opened = { readonly result: 'committed' | 'unauthorized' | null }

function stepOf(proposal: DecidedProposal): [statement: Statement, at: Date, ...more: readonly string[]] {
  switch (proposal.status) {
    case 'approved':
      return [approveProposal, proposal.approval.at]
    case 'rejected':
      return [rejectProposal, proposal.rejection.at, proposal.rejection.reason]
    case 'withdrawn':
      return [withdrawProposal, proposal.withdrawal.at]
  }
}
