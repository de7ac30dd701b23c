import type { ResolutionStore } from '@quipu/core/adapter'
import { arrayParameters, rowsOf } from '../batch/array-parameters.ts'
import { sharedStatement } from '../batch/shared-statement.ts'
import { type Database, type Query, statement } from '../connection/database.ts'
import type { QuoteCommits } from './quote-commits.ts'
import { resolutionColumns, resolutionFromRow, type ResolutionRow } from './quote-row.ts'

type Ref = readonly [tenantId: string, id: string]

const refs = arrayParameters<Ref>({ tenant_id: ['text', ([tenantId]) => tenantId], id: ['text', ([, id]) => id] })

const findResolutions = statement('resolution.find')`
  select found.* from ${rowsOf(refs, 'i')}
  left join lateral (
    select ${resolutionColumns} from quipu.qr_resolution r where r.id = i.id and r.tenant_id = i.tenant_id limit 1
  ) found on true
  order by i.place`

type FoundRow = ResolutionRow | { readonly [Column in keyof ResolutionRow]: null }

/** QR readings in PostgreSQL. */
export function postgresResolutionStore(
  database: Database,
  { insertResolution }: Pick<QuoteCommits, 'insertResolution'>,
): ResolutionStore {
  const rowsBy = (query: Query, items: readonly Ref[]): Promise<FoundRow[]> =>
    query<FoundRow>(findResolutions, refs.encode(items))
  const latest = sharedStatement(findResolutions.name, (items: readonly Ref[]) => rowsBy(database.readLatest, items))
  return {
    insert: (resolution, keyId) => insertResolution({ resolution, keyId }),
    // A row never changes, and a commit that names it is durable after it. Its absence must be confirmed.
    find: async (tenantId, id) => {
      const ref = [tenantId, id] as const
      let row: FoundRow | undefined = await latest(ref)
      if (row.resolution_id === null) [row] = await rowsBy(database.read, [ref])
      return row && row.resolution_id !== null ? resolutionFromRow(row) : undefined
    },
  }
}
