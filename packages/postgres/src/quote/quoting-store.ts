import type { Quoting, QuotingStore } from '@quipu/core/operator'
import { answer } from '../answer.ts'
import { type Database, statement } from '../connection/database.ts'
import { credentialJson } from '../operator-token/credential.ts'

// Decided by migrations/0003-quotes.sql.
const setQuoting = statement('set_quoting')`select quipu.set_quoting($1, $2, $3, $4) as result`

const getQuoting = statement('quoting.get')`select q.status, q.changed_at, q.changed_by, q.reason from quipu.quoting q`

type QuotingRow = {
  readonly status: Quoting['status']
  readonly changed_at: Date | null
  readonly changed_by: string | null
  readonly reason: string | null
}

/** Whether quotes are given, in PostgreSQL. `insert_quotes` obeys it. */
export const postgresQuotingStore = (database: Database): QuotingStore => ({
  get: async () => {
    const [row] = await database.read<QuotingRow>(getQuoting, [])
    if (row === undefined) return { status: 'open', change: null }
    const { status, changed_at: at, changed_by: by, reason } = row
    return { status, change: at === null || by === null ? null : { by, at, reason } }
  },
  set: (status, { at, reason }, by) => answer(database.write, setQuoting, [status, credentialJson(by), at, reason]),
})
