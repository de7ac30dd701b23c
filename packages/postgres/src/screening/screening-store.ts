import type { ScreeningCase, ScreeningCaseQuery, ScreeningStore } from '@quipu/core/operator'
import { type Database, statement } from '../connection/database.ts'
import { keysetOf, pageOf } from '../page.ts'

// Decided by migrations/0046-screening.sql.

const hitScreening = statement('hit_screening')`
  select case_id, is_new from quipu.hit_screening($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`

const endOutage = statement('end_outage')`select quipu.end_outage($1, $2)`

const columns = `c.id, c.kind, c.outcome, c.subject, c.name, c.tenant_id as "tenantId", c.list, c.version, c.reason,
  c.reference, c.hits, c.created_at as "createdAt", c.opened_at as "openedAt", c.last_hit_at as "lastHitAt", c.status,
  c.decided_at as "decidedAt", c.decided_by as "decidedBy", c.proposal_id as "proposalId"`

type CaseRow = Omit<ScreeningCase, 'hits'> & { readonly hits: bigint }

const find = statement('screening.find')`select ${columns} from quipu.screening_case c where c.id = $1`

/** Cases are few: one for each listed subject that was met. */
const list = statement('screening.list')`
  select ${columns} from quipu.screening_case c
  where (c.created_at, c.id) < ($1, $2) and ($4::text is null or c.status = $4)
    and ($5::text is null or c.kind = $5) and ($6::text is null or c.tenant_id = $6)
  order by c.created_at desc, c.id desc limit $3`

const outages = statement('screening.outages')`
  select ${columns} from quipu.screening_case c where c.status = 'open' and c.outcome = 'unanswered'`

const caseFromRow = (row: CaseRow): ScreeningCase => ({ ...row, hits: Number(row.hits) })

/** Cases of screening in PostgreSQL. */
export function postgresScreeningStore(database: Database): ScreeningStore {
  const findCase = async (id: string): Promise<ScreeningCase | undefined> => {
    const [row] = await database.read<CaseRow>(find, [id])
    return row && caseFromRow(row)
  }
  return {
    hit: async (id, hit) => {
      const about = [hit.kind, hit.outcome, hit.subject, hit.name, hit.tenantId, hit.list, hit.version]
      const values = [id, ...about, hit.reason, hit.reference, hit.hits, database.clockOverride()]
      const [row] = await database.write<{ readonly case_id: string; readonly is_new: boolean }>(hitScreening, values)
      const found = row && (await findCase(row.case_id))
      if (!row || !found) throw new Error('the case of a hit is missing')
      return { found, isNew: row.is_new }
    },
    find: findCase,
    list: async ({ status, kind, tenantId, ...query }: ScreeningCaseQuery) => {
      const values = [...keysetOf(query), status ?? null, kind ?? null, tenantId ?? null]
      return pageOf((await database.read<CaseRow>(list, values)).map(caseFromRow), query.limit)
    },
    outages: async () => (await database.read<CaseRow>(outages, [])).map(caseFromRow),
    answered: async (kind) => {
      await database.write(endOutage, [kind, database.clockOverride()])
    },
  }
}
