import type { NewOperatorToken, OperatorTokenStore } from '@quipu/core/operator'
import type { Database, Statement } from '../connection/database.ts'
import { keysetOf, pageOf } from '../page.ts'
import { type TokenRow, tokenFromRow } from './token-row.ts'

/** The columns that processes may read: all but the hash. */
const tokenColumns = `t.id, t.person, t.label, t.role, t.fingerprint, t.created_at, t.created_by,
  t.activated_at, t.expires_at, t.revoked_at, t.revoked_by`

// Decided by migrations/0024-operator-tokens.sql.

const authenticateOperator: Statement = {
  name: 'authenticate_operator',
  text: `select ${tokenColumns} from quipu.authenticate_operator($1, $2) t`,
}

const issueOperatorToken: Statement = {
  name: 'issue_operator_token',
  text: 'select quipu.issue_operator_token($1, $2, $3, $4, $5, $6, $7, $8) as result',
}

const proposeOperatorToken: Statement = {
  name: 'propose_operator_token',
  text: `select quipu.propose_operator_token($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
    as result`,
}

const revokeOperatorToken: Statement = {
  name: 'revoke_operator_token',
  text: 'select quipu.revoke_operator_token($1, $2, $3) as revoked',
}

const findToken: Statement = {
  name: 'operator_token.find',
  text: `select ${tokenColumns} from quipu.operator_token t where t.id = $1`,
}

const listTokens: Statement = {
  name: 'operator_token.list',
  text: `
    select ${tokenColumns} from quipu.operator_token t
    where (t.created_at, t.id) < ($1, $2) order by t.created_at desc, t.id desc limit $3`,
}

export const operatorTokenStatements: readonly Statement[] = [findToken, listTokens]

type Issued = Awaited<ReturnType<OperatorTokenStore['issue']>>

/** Operator tokens in PostgreSQL. The stores' role can read no hash. */
export const postgresOperatorTokenStore = (database: Database): OperatorTokenStore => ({
  authenticate: async (tokenHash, at) => {
    const [row] = await database.readLatest<TokenRow>(authenticateOperator, [tokenHash, at])
    return row && tokenFromRow(row)
  },
  find: async (id) => {
    const [row] = await database.read<TokenRow>(findToken, [id])
    return row && tokenFromRow(row)
  },
  list: async (query) => {
    const rows = await database.read<TokenRow>(listTokens, keysetOf(query))
    return pageOf(rows.map(tokenFromRow), query.limit)
  },
  issue: async (issued, tokenHash) => {
    const values = [...columnsOf(issued), tokenHash, issued.token.createdAt]
    return resultOf(await database.write(issueOperatorToken, values))
  },
  propose: async (proposed, { id, reason, evidence, ...proposal }, tokenHash) => {
    const support = [id, reason, evidence?.note ?? null, evidence?.digest ?? null]
    const author = [proposal.proposedBy, tokenHash, proposal.createdAt, proposal.expiresAt]
    const values = [...columnsOf(proposed), ...support, ...author]
    return resultOf(await database.write(proposeOperatorToken, values))
  },
  revoke: async (id, tokenHash, at) => {
    const values = [id, tokenHash, at]
    const [row] = await database.write<{ revoked: boolean | null }>(revokeOperatorToken, values)
    const revoked = row?.revoked ?? null
    if (revoked === null) return 'unauthorized'
    return revoked ? 'committed' : 'stale'
  },
})

const columnsOf = ({ token, hash }: NewOperatorToken): readonly unknown[] => [
  ...[token.id, token.person, token.label, token.role],
  ...[hash, token.expiresAt],
]

function resultOf(rows: readonly { readonly result: Issued }[]): Issued {
  const [row] = rows
  if (row === undefined) throw new Error('the function returned no row')
  return row.result
}
