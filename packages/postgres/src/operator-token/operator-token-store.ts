import type { NewOperatorToken, OperatorTokenStore } from '@quipu/core/operator'
import { answer } from '../answer.ts'
import { type Database, statement } from '../connection/database.ts'
import { keysetOf, pageOf } from '../page.ts'
import { credentialJson } from './credential.ts'
import { type TokenRow, tokenFromRow } from './token-row.ts'

/** The columns that processes may read: all but the hash. */
const tokenColumns = `t.id, t.person, t.label, t.role, t.fingerprint, t.created_at, t.created_by,
  t.activated_at, t.expires_at, t.revoked_at, t.revoked_by`

// Decided by migrations/0024-operator-tokens.sql.

const authenticateOperator = statement('authenticate_operator')`
  select ${tokenColumns} from quipu.authenticate_operator($1, $2) t`

const findOperatorToken = statement('find_operator_token')`select ${tokenColumns} from quipu.find_operator_token($1) t`

const issueOperatorToken = statement('issue_operator_token')`
  select quipu.issue_operator_token($1, $2, $3, $4, $5, $6, $7, $8) as result`

const proposeOperatorToken = statement('propose_operator_token')`
  select quipu.propose_operator_token($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
  as result`

const revokeOperatorToken = statement('revoke_operator_token')`select quipu.revoke_operator_token($1, $2, $3) as result`

const findToken = statement('operator_token.find')`select ${tokenColumns} from quipu.operator_token t where t.id = $1`

const listTokens = statement('operator_token.list')`
  select ${tokenColumns} from quipu.operator_token t
  where (t.created_at, t.id) < ($1, $2) order by t.created_at desc, t.id desc limit $3`

/** Operator tokens in PostgreSQL. The stores' role can read no hash. */
export const postgresOperatorTokenStore = (database: Database): OperatorTokenStore => ({
  authenticate: async (tokenHash, at) => {
    const [row] = await database.readLatest<TokenRow>(authenticateOperator, [tokenHash, at])
    return row && tokenFromRow(row)
  },
  findByHash: async (tokenHash) => {
    const [row] = await database.read<TokenRow>(findOperatorToken, [tokenHash])
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
  issue: (issued, by) =>
    answer(database.write, issueOperatorToken, [...columnsOf(issued), credentialJson(by), issued.token.createdAt]),
  propose: (proposed, { id, reason, evidence, ...proposal }, by) => {
    const support = [id, reason, evidence?.note ?? null, evidence?.digest ?? null]
    const author = [credentialJson(by), proposal.createdAt, proposal.expiresAt]
    return answer(database.write, proposeOperatorToken, [...columnsOf(proposed), ...support, ...author])
  },
  revoke: (id, by, at) => answer(database.write, revokeOperatorToken, [id, credentialJson(by), at]),
})

const columnsOf = ({ token, hash }: NewOperatorToken): readonly unknown[] => [
  token.id,
  token.person,
  token.label,
  token.role,
  hash,
  token.expiresAt,
]
