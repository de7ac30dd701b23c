import type { Quoting, QuotingStore } from '@quipu/core/operator'
import type { Database, Statement } from '../connection/database.ts'

// Decided by migrations/0003-quotes.sql.
const setQuoting: Statement = {
  name: 'set_quoting',
  text: 'select quipu.set_quoting($1, $2, $3, $4) as changed',
}

const getQuoting: Statement = {
  name: 'quoting.get',
  text: 'select q.status, q.changed_at, q.changed_by, q.reason from quipu.quoting q',
}

type QuotingRow = {
  readonly status: Quoting['status']
  readonly changed_at: Date | null
  readonly changed_by: string | null
  readonly reason: string | null
}

/** Whether quotes are given, in PostgreSQL. `insert_quote` obeys it. */
export const postgresQuotingStore = (database: Database): QuotingStore => ({
  get: async () => {
    const [row] = await database.read<QuotingRow>(getQuoting, [])
    if (row === undefined) return { status: 'open', change: null }
    const { status, changed_at: at, changed_by: by, reason } = row
    return { status, change: at === null || by === null ? null : { by, at, reason } }
  },
  set: async (status, { by, at, reason }) => {
    const values = [status, by, at, reason]
    const [row] = await database.write<{ changed: boolean }>(setQuoting, values)
    return row?.changed ? 'committed' : 'stale'
  },
})
