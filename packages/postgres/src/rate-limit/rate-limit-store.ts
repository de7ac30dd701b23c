import type { RateLimitStore } from '@quipu/core/operator'
import { type Database, statement } from '../connection/database.ts'

// Decided by migrations/0039-rate-limits.sql.
const recordRateUse = statement('record_rate_use')`select quipu.record_rate_use($1, $2, $3, $4, $5) as used`

const forgetRateUse = statement('forget_rate_use')`select quipu.forget_rate_use($1)::float8 as forgotten`

/** The requests that all processes have allowed, in PostgreSQL. */
export const postgresRateLimitStore = (database: Database): RateLimitStore => ({
  async record(uses) {
    const [row] = await database.query<{ used: number[] | null }>(recordRateUse, [
      uses.map(({ key }) => key),
      uses.map(({ count }) => count),
      uses.map(({ ageMs }) => Math.max(0, Math.round(ageMs))),
      uses.map(({ perSecond }) => perSecond),
      database.clockOverride(),
    ])
    return row?.used ?? []
  },
  async forget() {
    const rows = await database.query<{ forgotten: number }>(forgetRateUse, [database.clockOverride()])
    return rows[0]?.forgotten ?? 0
  },
})
