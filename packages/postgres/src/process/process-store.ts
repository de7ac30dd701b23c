import { heartbeatGapSeconds, type ProcessStore, type RecordedProcess } from '@quipu/core/operator'
import { type Database, statement } from '../connection/database.ts'

// Decided by migrations/0037-processes.sql.
const recordProcess = statement('record_process')`select quipu.record_process($1, $2, $3, $4, $5, $6)`

const endProcess = statement('end_process')`select quipu.end_process($1, $2)`

const listProcesses = statement('process.list')`
  select p.id, p.program, p.host, p.ahead_ms::float8 as "aheadMs",
    greatest(0, extract(epoch from k.now - p.first_at))::float8 as "ageSeconds",
    greatest(0, extract(epoch from k.now - p.steady_at))::float8 as "steadySeconds",
    greatest(0, extract(epoch from k.now - p.seen_at))::float8 as "silentSeconds",
    case when p.ended_at is not null then greatest(0, extract(epoch from k.now - p.ended_at)) end::float8
      as "endedSeconds"
  from (select quipu.store_now($1) as now) k cross join quipu.process p
  order by p.program, p.first_at, p.id`

/** The processes of the service in PostgreSQL. */
export const postgresProcessStore = (database: Database): ProcessStore => ({
  beat: async ({ id, program, host, aheadMs }) => {
    const values = [id, program, host, aheadMs, heartbeatGapSeconds, database.clockOverride()]
    await database.write(recordProcess, values)
  },
  end: async (id) => {
    await database.write(endProcess, [id, database.clockOverride()])
  },
  list: () => database.query<RecordedProcess>(listProcesses, [database.clockOverride()]),
})
