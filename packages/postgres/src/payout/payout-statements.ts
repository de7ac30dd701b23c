import { type Statement, statement } from '../connection/database.ts'
import { containsFolded } from '../folded.ts'
import { scannedMax } from '../page.ts'
import { payoutColumns, payoutTables } from './payout-row.ts'

// No index has the payouts of all tenants in the order of this list, and none is added to the insertions of those that
// complete. Each statement merges what exists: `payout_end_pkey` has all ended payouts by id, the queue those in
// `processing`, and a partial index the exceptions. Parameters: $1 exclusive upper id, $2 inclusive
// lower id, $3 number of rows.

const inBounds = (id: string): string => `${id} < $1 and ${id} >= $2`

const page = (ids: string): string => `
  page as materialized (
    select p.* from ${ids} i join quipu.payout p on p.tenant_id = i.tenant_id and p.id = i.payout_id
  )
  select ${payoutColumns} from ${payoutTables('page')} order by p.id desc`

/**
 * The payouts in `processing` with their bounds. The queue is read first and whole: a view over it would let
 * the planner begin with the payouts, as their ids have the same bounds.
 */
const processing = `
  queue as materialized (
    select o.tenant_id, o.payout_id from quipu.payout_open o
    union
    select i.tenant_id, i.payout_id from quipu.payout_lease l
    cross join lateral unnest(l.tenant_ids, l.payout_ids) i (tenant_id, payout_id)
  ), processing as materialized (
    select p.tenant_id, p.id as payout_id from queue c
    cross join lateral (
      select * from quipu.payout p where p.tenant_id = c.tenant_id and p.id = c.payout_id offset 0
    ) p
    where not exists (
      select from quipu.payout_end e where e.payout_id = c.payout_id and e.tenant_id = c.tenant_id
    ) and ${inBounds('c.payout_id')}
  )`

/** The reference that the network gave last: for the order, or with the reading. */
const newestReference = (payout: string): string => `coalesce(
  (select e.network_ref from quipu.payout_end e where e.payout_id = ${payout}.id and e.tenant_id = ${payout}.tenant_id),
  (select o.network_ref from quipu.payout_open o where o.payout_id = ${payout}.id and o.tenant_id = ${payout}.tenant_id),
  ${payout}.details ->> 'network_ref')`

/**
 * Whether the payout is what these five parameters, from this number on, say: the network's newest reference, the API
 * key, a part of the merchant's name as `foldText` makes it, the least and the greatest target; null for any.
 */
function isRequested(first: number, payout: string): string {
  const [reference, key, merchant, least, most] = Array.from({ length: 5 }, (_, n) => `$${first + n}`)
  const merchantName = "p.details #>> '{qr,merchant,name}'"
  return `(num_nulls(${reference}::text, ${key}::text, ${merchant}::text, ${least}::bigint, ${most}::bigint) = 5 or coalesce((
  select (${reference}::text is null or ${reference} = ${newestReference('p')})
    and (${key}::text is null or ${key} = p.key_id)
    and (${least}::bigint is null or p.target >= ${least}) and (${most}::bigint is null or p.target <= ${most})
    and (${merchant}::text is null or ${containsFolded(merchantName, `${merchant}`)})
  from quipu.payout p where p.tenant_id = ${payout}.tenant_id and p.id = ${payout}.payout_id
), false))`
}

/** A scalar, as an `exists` may become a scan of the whole queue. */
const isRaisedAbout = (payout: string): string => `coalesce((
  select o.raised is not null from quipu.payout_open o
  where o.payout_id = ${payout}.payout_id and o.tenant_id = ${payout}.tenant_id
), false)`

export const listAll: Statement = statement('overview.payouts')`
  with ended as materialized (
    select e.payout_id, e.tenant_id from quipu.payout_end e where ${inBounds('e.payout_id')}
    order by e.payout_id desc limit $3
  ), oldest as materialized (
    select min(e.payout_id) as id from ended e having count(*) >= $3
  ), ${processing}, ids as materialized (
    select * from (
      select * from ended
      union all
      select h.payout_id, h.tenant_id from processing h
      where h.payout_id >= coalesce((select o.id from oldest o), '')
    ) u order by u.payout_id desc limit $3
  ), ${page('ids')}`

/**
 * Parameters: $4 tenant or null, $5 whether an alert must have been raised, from $6 on those of `isRequested`.
 */
export const listProcessing: Statement = statement('overview.payouts_processing')`
  with ${processing}, ids as materialized (
    select h.payout_id, h.tenant_id from processing h
    where ($4::text is null or h.tenant_id = $4)
      and (not $5::boolean or ${isRaisedAbout('h')}) and ${isRequested(6, 'h')}
    order by h.payout_id desc limit $3
  ), ${page('ids')}`

/** Payouts that were not completed. Parameters: $4 status. */
export const listExceptions: Statement = statement('overview.payouts_by_status')`
  with ids as materialized (
    select e.payout_id, e.tenant_id from quipu.payout_end e
    where e.status = $4 and e.error_code is not null and ${inBounds('e.payout_id')}
    order by e.payout_id desc limit $3
  ), ${page('ids')}`

/**
 * The conditions of a row. Parameters: $4 status, $5 error code, $6 the network's payment id, null for any; from $7 on
 * those of `isRequested`.
 */
const isWanted = `
  ($4::text is null or e.status = $4) and ($5::text is null or e.error_code = $5)
  and ($6::text is null or e.network_payment_id = $6) and ${isRequested(7, 'e')}`

/** Parameters: as `isWanted`, $12 transaction id, $13 tenant or null, $14 whether an alert was raised. */
export const listByTransaction: Statement = statement('overview.payouts_by_transaction')`
  with found as materialized (
    select p.tenant_id, p.id as payout_id from quipu.payout p where p.transaction_id = $12
  ), ids as materialized (
    select f.* from found f
    left join quipu.payout_end e on e.payout_id = f.payout_id and e.tenant_id = f.tenant_id
    where ${inBounds('f.payout_id')} and ($13::text is null or f.tenant_id = $13)
      and ($4::text is null or coalesce(e.status, 'processing') = $4)
      and ($5::text is null or e.error_code = $5)
      and ($6::text is null or e.network_payment_id = $6) and ${isRequested(7, 'f')}
      and (not $14::boolean or (e.payout_id is null and ${isRaisedAbout('f')}))
    order by f.payout_id desc limit $3
  ), ${page('ids')}`

const scanned = {
  ofAll: `
    select e.payout_id, e.tenant_id, e.status, e.error_code, e.network_payment_id
    from quipu.payout_end e where ${inBounds('e.payout_id')} order by e.payout_id desc`,
  ofTenant: (tenant: string) => `
    select p.id as payout_id, p.tenant_id, e.status, e.error_code, e.network_payment_id
    from (
      select p.id, p.tenant_id from quipu.payout p
      where p.tenant_id = ${tenant} and ${inBounds('p.id')} order by p.id desc limit ${scannedMax}
    ) p left join quipu.payout_end e on e.payout_id = p.id and e.tenant_id = p.tenant_id`,
}

const newestWanted = `
  select e.payout_id, e.tenant_id from scanned e where ${isWanted}
  order by e.payout_id desc limit $3`

/**
 * Filters the next ended payouts, as their filter has no index, and those in `processing` that are newer than
 * the last of them. Parameters: as `isWanted`.
 */
export const scanAll: Statement = statement('overview.scan_payouts')`
  with scanned as materialized (${scanned.ofAll} limit ${scannedMax}), oldest as materialized (
    select min(e.payout_id) as id from scanned e having count(*) >= ${scannedMax}
  ), ${processing}, ids as materialized (
    select * from (
      (${newestWanted})
      union all
      select h.payout_id, h.tenant_id from processing h
      where num_nulls($4, $5, $6) = 3 and ${isRequested(7, 'h')}
        and h.payout_id >= coalesce((select o.id from oldest o), '')
    ) u order by u.payout_id desc limit $3
  ), ${page('ids')}`

/** Filters the next payouts of a tenant. Parameters: as `isWanted`, $12 tenant. */
export const scanTenant: Statement = statement('overview.scan_payouts_of_tenant')`
  with scanned as materialized (${scanned.ofTenant('$12')} limit ${scannedMax}),
  ids as materialized (${newestWanted}), ${page('ids')}`

export const lastScanned: Statement = statement('overview.last_scanned_payout')`
  select p.id, p.created_at as "createdAt" from (
    select e.payout_id, e.tenant_id from quipu.payout_end e where ${inBounds('e.payout_id')}
    order by e.payout_id desc offset ${scannedMax - 1} limit 1
  ) e join quipu.payout p on p.tenant_id = e.tenant_id and p.id = e.payout_id`

/** Parameters: $3 tenant. */
export const lastScannedOfTenant: Statement = statement('overview.last_scanned_payout_of_tenant')`
  select p.id, p.created_at as "createdAt" from quipu.payout p
  where p.tenant_id = $3 and ${inBounds('p.id')} order by p.id desc offset ${scannedMax - 1} limit 1`
