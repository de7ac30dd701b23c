import { bob, usdt } from '@quipu/core'
import type { Movement, TreasuryStore } from '@quipu/core/operator'
import { answer } from '../answer.ts'
import { type Database, statement } from '../connection/database.ts'
import { credentialJson } from '../operator-token/credential.ts'
import { keysetOf, pageOf } from '../page.ts'

// Decided by migrations/0043-reports.sql.
const recordMovement = statement('record_movement')`select quipu.record_movement($1, $2, $3) as result`

const findMovement = statement('treasury.find')`select m.* from quipu.treasury_movement m where m.id = $1`

const listMovements = statement('treasury.list')`
  select m.* from quipu.treasury_movement m where (m.created_at, m.id) < ($1, $2)
  order by m.created_at desc, m.id desc limit $3`

type MovementRow = Pick<Movement, 'id' | 'kind' | 'account' | 'at' | 'reference' | 'reason' | 'reverses'> & {
  readonly usdt: bigint | null
  readonly bob: bigint | null
  readonly evidence_note: string
  readonly evidence_digest: string
  readonly created_by: string
  readonly created_at: Date
}

/** The operator's own movements, in PostgreSQL. */
export const postgresTreasuryStore = (database: Database): TreasuryStore => {
  const record = <Result>(row: object, at: Date, by: Parameters<TreasuryStore['record']>[2]): Promise<Result> =>
    answer(database.write, recordMovement, [JSON.stringify(row), credentialJson(by), at])
  return {
    record: ({ id, kind, account, usdt, bob, at, reference, reason, evidence }, moment, by) => {
      const amounts = { usdt: usdt?.minor.toString() ?? null, bob: bob?.minor.toString() ?? null }
      const note = { reference, reason, evidence_note: evidence.note, evidence_digest: evidence.digest }
      return record({ id, kind, account, ...amounts, at, ...note }, moment, by)
    },
    reverse: ({ id, of: reverses, reason, evidence }, moment, by) => {
      const note = { reason, evidence_note: evidence.note, evidence_digest: evidence.digest }
      return record({ id, reverses, ...note }, moment, by)
    },
    find: async (id) => {
      const [row] = await database.read<MovementRow>(findMovement, [id])
      return row && movementFromRow(row)
    },
    list: async (query) => {
      const rows = await database.list<MovementRow>(listMovements, keysetOf(query))
      return pageOf(rows.map(movementFromRow), query.limit)
    },
  }
}

const movementFromRow = (row: MovementRow): Movement => ({
  id: row.id,
  kind: row.kind,
  account: row.account,
  usdt: row.usdt === null ? null : usdt(row.usdt),
  bob: row.bob === null ? null : bob(row.bob),
  at: row.at,
  reference: row.reference,
  reason: row.reason,
  evidence: { note: row.evidence_note, digest: row.evidence_digest },
  reverses: row.reverses,
  createdBy: row.created_by,
  createdAt: row.created_at,
})
