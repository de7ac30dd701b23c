import type { FaucetSend, Page } from '@quipu/core'
import type { PagePosition } from '@quipu/core/adapter'
import type { AllFaucetSendsQuery } from '@quipu/core/operator'
import { type Database, statement } from '../connection/database.ts'
import { faucetColumns, type FaucetRow, sendFromRow } from './faucet-row.ts'
import { pageOf, scannedMax, scannedPageOf } from '../page.ts'

// Sends are in the order of their ids, which begin with the instant of the request. Parameters: $1 exclusive
// upper id, $2 number of rows, $3 tenant, $4 status, $5 receiving address, $6 transaction; null for any.

const isWanted = `
  ($3::text is null or f.tenant_id = $3) and ($4::text is null or f.status = $4)
  and ($5::text is null or f.address = $5)`

/** Filters the next sends. */
const scan = statement('overview.faucet_sends')`
  with scanned as materialized (
    select * from quipu.faucet_send f where f.id < $1 order by f.id desc limit ${scannedMax}
  )
  select ${faucetColumns} from scanned f where ${isWanted} order by f.id desc limit $2`

const lastScanned = statement('overview.last_faucet_send')`
  select f.id, f.created_at as "createdAt" from quipu.faucet_send f
  where f.id < $1 order by f.id desc offset ${scannedMax - 1} limit 1`

const byTransaction = statement('overview.faucet_sends_of_transaction')`
  select ${faucetColumns} from quipu.faucet_send f
  where f.tx_hash = $6 and f.id < $1 and ${isWanted} limit $2`

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export async function listFaucetSends(
  database: Database,
  { tenantId, status, address, txHash, after, limit }: AllFaucetSendsQuery,
): Promise<Page<FaucetSend>> {
  const before = after?.id ?? lastId
  const filters = [tenantId, status, address].map((value) => value ?? null)
  const values = [before, limit + 1, ...filters]
  if (txHash !== undefined) {
    const found = await database.list<FaucetRow>(byTransaction, [...values, txHash])
    return pageOf(found.map(sendFromRow), limit)
  }
  const sends = await database.list<FaucetRow>(scan, values)
  return scannedPageOf(sends.map(sendFromRow), limit, async () => {
    const [row] = await database.list<PagePosition>(lastScanned, [before])
    return row
  })
}
