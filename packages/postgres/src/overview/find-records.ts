import {
  foundPerKindMax,
  type FoundRecord,
  type RecordType,
  recordTypes,
} from '@quipu/core/operator'
import type { Database, Statement } from '../connection/database.ts'

// Every part is a lookup in an index. A key that begins with the tenant is looked up once for each
// tenant, and so is an event by the instant in its id. Parameters: $1 the text, $2 the same as a UUID, or null.

const parts: Readonly<Record<RecordType, readonly string[]>> = {
  tenant: ['select t.id, t.id, t.legal_name from quipu.tenant t where t.id = $1'],
  api_key: ['select k.id, k.tenant_id, k.name from quipu.api_key k where k.id = $1'],
  wallet: ['select w.id, w.tenant_id, w.tenant_id from quipu.wallet w where w.id = $1'],
  top_up_address: [
    `select a.address, a.tenant_id, a.chain
    from quipu.tenant t cross join lateral (
      select * from quipu.top_up_address a where a.tenant_id = t.id and a.address = $1 offset 0
    ) a where $1 ~ '^[1-9A-HJ-NP-Za-km-z]{25,64}$'`,
  ],
  payout: [
    `select p.id, p.tenant_id, p.transaction_id
    from (
      select e.tenant_id from quipu.payout_end e where e.payout_id = $1
      union
      select o.tenant_id from quipu.payout_open o where o.payout_id = $1
      union
      select i.tenant_id from quipu.payout_lease l
      cross join lateral unnest(l.tenant_ids, l.payout_ids) i (tenant_id, payout_id)
      where i.payout_id = $1
    ) i join quipu.payout p on p.tenant_id = i.tenant_id and p.id = $1`,
    'select p.id, p.tenant_id, p.transaction_id from quipu.payout p where p.transaction_id = $1',
  ],
  quote: ['select q.id::text, q.tenant_id, q.rate_source from quipu.quote q where q.id = $2'],
  resolution: [
    'select r.id, r.tenant_id, r.merchant_name from quipu.qr_resolution r where r.id = $1',
  ],
  deposit: [
    'select d.id, d.tenant_id, d.status from quipu.deposit d where d.id = $1',
    'select d.id, d.tenant_id, d.status from quipu.deposit d where d.tx_hash = $1',
  ],
  faucet_send: [
    'select f.id::text, f.tenant_id, f.status from quipu.faucet_send f where f.id = $2',
    'select f.id::text, f.tenant_id, f.status from quipu.faucet_send f where f.tx_hash = $1',
  ],
  event: [
    `select p.event_id::text, p.tenant_id, 'payout.' || p.status from quipu.payout_end p
    where p.ended_at = uuid_extract_timestamp($2) and p.event_id = $2`,
    `select f.event_id::text, f.tenant_id, f.type from quipu.funding_entry f
    where f.logged_at = uuid_extract_timestamp($2) and f.event_id = $2`,
  ],
  webhook_endpoint: [
    'select w.id, w.tenant_id, w.url from quipu.webhook_endpoint w where w.id = $1',
  ],
  proposal: ['select p.id, p.tenant_id, p.action from quipu.proposal p where p.id = $1'],
}

const find: Statement = {
  name: 'overview.find',
  text: recordTypes
    .flatMap((type, rank) =>
      parts[type].map(
        (part) =>
          `select '${type}' as type, ${rank} as rank, * from (${part} limit ${foundPerKindMax}) ${type} (id, tenant_id, label)`,
      ),
    )
    .join('\nunion all\n')
    .concat('\norder by rank, id, tenant_id')
    .replaceAll('$2', '$2::uuid')
    .replaceAll('$1', '$1::text'),
}

export const findStatements: readonly Statement[] = [find]

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

type FoundRow = {
  readonly type: RecordType
  readonly id: string
  readonly tenant_id: string | null
  readonly label: string
}

export async function findRecords(
  database: Database,
  text: string,
): Promise<readonly FoundRecord[]> {
  const rows = await database.read<FoundRow>(find, [text, uuid.test(text) ? text : null])
  return rows.map(({ type, id, tenant_id: tenantId, label }) => ({ type, id, tenantId, label }))
}
