import type { Delivery } from '@quipu/core'
import { foundPerKindMax, type FoundRecord, type RecordType, recordTypes } from '@quipu/core/operator'
import { type Database, statement } from '../connection/database.ts'
import { fundingEventTypes } from '../event/funding-event-types.ts'
import { scannedMax } from '../page.ts'
import { findDelivery } from '../webhook/find-delivery.ts'

// Every part is a lookup in an index. Parameters: $1 the text, $2 the same as a UUID, or null.

const parts: Readonly<Record<RecordType, readonly string[]>> = {
  tenant: ['select t.id, t.id, t.legal_name from quipu.tenant t where t.id = $1'],
  api_key: [
    'select k.id, k.tenant_id, k.name from quipu.api_key k where k.id = $1',
    'select k.id, k.tenant_id, k.name from quipu.api_key k where k.last_four = $1',
  ],
  wallet: ['select w.id, w.tenant_id, w.tenant_id from quipu.wallet w where w.id = $1'],
  top_up_address: ['select a.address, a.tenant_id, a.chain from quipu.top_up_address a where a.address = $1'],
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
    ) i cross join lateral (
      select * from quipu.payout p where p.tenant_id = i.tenant_id and p.id = $1 offset 0
    ) p`,
    'select p.id, p.tenant_id, p.transaction_id from quipu.payout p where p.transaction_id = $1',
  ],
  quote: ['select q.id::text, q.tenant_id, q.rate_source from quipu.quote q where q.id = $2'],
  resolution: ['select r.id, r.tenant_id, r.merchant_name from quipu.qr_resolution r where r.id = $1'],
  deposit: [
    'select d.id, d.tenant_id, d.status from quipu.deposit d where d.id = $1',
    'select d.id, d.tenant_id, d.status from quipu.deposit d where d.tx_hash = $1',
  ],
  faucet_send: [
    'select f.id::text, f.tenant_id, f.status from quipu.faucet_send f where f.id = $2',
    'select f.id::text, f.tenant_id, f.status from quipu.faucet_send f where f.tx_hash = $1',
  ],
  event: [
    `select e.event_id::text, e.tenant_id, 'payout.' || e.status from quipu.payout_events($2, $2) e`,
    ...fundingEventTypes.map(
      (type) =>
        `select e.event_id::text, e.tenant_id, e.type from quipu.funding_entry e where e.type = '${type}' and e.event_id = $2`,
    ),
  ],
  webhook_endpoint: ['select w.id, w.tenant_id, w.url from quipu.webhook_endpoint w where w.id = $1'],
  delivery: [],
  proposal: ['select p.id, p.tenant_id, p.action from quipu.proposal p where p.id = $1'],
  difference: [`select d.id, d.tenant_id, d.check_name || ' ' || d.kind from quipu.difference d where d.id = $1`],
  reconciliation_run: ['select r.id, null::text, r.check_name from quipu.reconciliation_run r where r.id = $1'],
  sweep_batch: [
    `select b.id, null::text, b.treasury from quipu.sweep_batch b where b.id = $1`,
    'select s.batch_id, null::text, s.id from quipu.sweep_transfer s where s.id = $1',
    'select s.batch_id, null::text, s.id from quipu.sweep_transfer s where s.tx_hash = $1',
  ],
  operator_token: ['select o.id, null::text, o.role from quipu.operator_token o where o.id = $1'],
}

const find = statement('overview.find')`${recordTypes
  .flatMap((type, rank) =>
    parts[type].map(
      (part) =>
        `select '${type}' as type, ${rank} as rank, * from (${part} limit ${foundPerKindMax}) ${type} (id, "tenantId", label)`,
    ),
  )
  .join('\nunion all\n')
  .concat('\norder by rank, id, "tenantId"')
  .replaceAll('$2', '$2::uuid')
  .replaceAll('$1', '$1::text')}`

/**
 * No index has the network's references, so this reads the payouts in `processing` and the newest that have
 * ended. A scalar keeps the planner from a scan of the queue. Parameters: $1 the text.
 */
const findByNetwork = statement('overview.find_by_network')`
  with scanned as materialized (
    select e.payout_id, e.tenant_id, e.network_payment_id, e.network_ref from quipu.payout_end e
    order by e.payout_id desc limit ${scannedMax}
  )
  select 'payout' as type, p.id, p.tenant_id as "tenantId", p.transaction_id as label from (
    select * from scanned
    union all
    select o.payout_id, o.tenant_id, null, (
      select n.network_ref from quipu.payout_open n where n.payout_id = o.payout_id and n.tenant_id = o.tenant_id
    ) from quipu.payout_open o
    union all
    select i.payout_id, i.tenant_id, null, null from quipu.payout_lease l
    cross join lateral unnest(l.tenant_ids, l.payout_ids) i (tenant_id, payout_id)
  ) e cross join lateral (
    select * from quipu.payout p where p.tenant_id = e.tenant_id and p.id = e.payout_id offset 0
  ) p
  where e.network_payment_id = $1 or coalesce(e.network_ref, p.details ->> 'network_ref') = $1
  group by p.id, p.tenant_id, p.transaction_id order by p.id desc limit ${foundPerKindMax}`

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export async function findRecords(database: Database, text: string): Promise<readonly FoundRecord[]> {
  const delivery = await findDelivery(database, text)
  if (delivery !== undefined) return [foundDelivery(text, delivery)]
  const isUuid = uuid.test(text)
  const rows = await database.list<FoundRecord>(find, [text, isUuid ? text : null])
  const found = rows.map(({ type, id, tenantId, label }) => ({ type, id, tenantId, label }))
  if (found.length > 0 || isUuid || ownId.test(text)) return found
  return database.list<FoundRecord>(findByNetwork, [text])
}

/** Ids of records, which the network does not use. */
const ownId = /^[a-z]{2,3}_/

const foundDelivery = (id: string, { tenantId, status, eventType }: Delivery): FoundRecord => ({
  type: 'delivery',
  id,
  tenantId,
  label: `${eventType} ${status}`,
})
