import { type Page, type PageQuery, usdt } from '@quipu/core'
import type { Chain, ChainAccount } from '@quipu/core/adapter'
import type { SweepAddress, SweepBatchCounts, SweepPlan, SweepStatus, SweptAmounts } from '@quipu/core/operator'
import { type Database, statement } from '../connection/database.ts'
import { membersOf } from '../members.ts'
import { keysetOf, pageOf } from '../page.ts'
import {
  batchColumns,
  batchFromRow,
  type BatchRow,
  transferColumns,
  transferFromRow,
  type TransferRow,
} from './sweep-row.ts'

const isLive = `t.status in ('planned', 'signed')`

const listAddresses = statement('sweep.list_addresses')`
  select ${membersOf('a', 'tenant_id account address index created_at')}, d.received,
    d.reviewed as "hasOpenReview", s.swept + r.returned as swept, s.live as "liveTransferId"
  from (
    select * from quipu.top_up_address a
    where a.chain = $4 and (a.created_at, a.address) < ($1, $2)
      and (select true from quipu.moving_tenant m where m.tenant_id = a.tenant_id limit 1) is null
    order by a.created_at desc, a.address desc limit $3
  ) a
  cross join lateral (
    select coalesce(sum(d.amount), 0) as received,
      coalesce(bool_or(d.status = 'in_review' and d.closed_at is null), false) as reviewed
    from quipu.deposit d
    where d.address = a.address and d.chain = a.chain and d.solid = 'confirmed'
  ) d
  cross join lateral (
    select coalesce(sum(t.amount) filter (where t.status = 'solid'), 0) as swept,
      max(t.id) filter (where ${isLive}) as live
    from quipu.sweep_transfer t where t.account = a.account and t.chain = a.chain
  ) s
  cross join lateral (
    select coalesce(sum(r.amount), 0) as returned
    from quipu.deposit_return r where r.account = a.account and r.chain = a.chain
  ) r`

type AddressRow = Omit<SweepAddress, 'received' | 'swept'> & { readonly received: bigint; readonly swept: bigint }

const findBatch = statement('sweep.find_batch')`select ${batchColumns} from quipu.sweep_batch b where b.id = $1`

const listTransfers = statement('sweep.list_transfers')`
  select ${transferColumns} from quipu.sweep_transfer t where t.batch_id = $1
  order by t.batch_id, t.index, t.id`

const listBatches = statement('sweep.list_batches')`
  select ${batchColumns}, c.planned, c.signed, c.solid, c.failed, c.expired
  from (
    select * from quipu.sweep_batch b where (b.created_at, b.id) < ($1, $2)
    order by b.created_at desc, b.id desc limit $3
  ) b
  cross join lateral (
    select count(*) filter (where t.status = 'planned')::int as planned,
      count(*) filter (where t.status = 'signed')::int as signed,
      count(*) filter (where t.status = 'solid')::int as solid,
      count(*) filter (where t.status = 'failed')::int as failed,
      count(*) filter (where t.status = 'expired')::int as expired
    from quipu.sweep_transfer t where t.batch_id = b.id
  ) c`

const sumSwept = statement('sweep.sum_swept')`
  select w.account, coalesce(s.solid, 0) + coalesce(r.returned, 0) as solid, coalesce(s.live, 0) as live
  from unnest($2::text[]) w (account)
  cross join lateral (
    select sum(t.amount) filter (where t.status = 'solid') as solid,
      sum(t.amount) filter (where ${isLive}) as live
    from quipu.sweep_transfer t where t.account = w.account and t.chain = $1
  ) s
  cross join lateral (
    select sum(r.amount) as returned
    from quipu.deposit_return r where r.account = w.account and r.chain = $1
  ) r
  where num_nonnulls(s.solid, s.live, r.returned) > 0`

export async function readAddresses(database: Database, chain: Chain, query: PageQuery): Promise<Page<SweepAddress>> {
  const rows = await database.read<AddressRow>(listAddresses, [...keysetOf(query), chain])
  const addresses = rows.map((row) => {
    const address = addressFromRow(row)
    return { createdAt: address.createdAt, id: address.address, address }
  })
  const { items, next } = pageOf(addresses.toSorted(newestFirst), query.limit)
  return { items: items.map(({ address }) => address), next }
}

const addressFromRow = ({ received, swept, ...row }: AddressRow): SweepAddress => ({
  ...row,
  received: usdt(received),
  swept: usdt(swept),
})

type Position = { readonly createdAt: Date; readonly id: string }

/** The joins keep the page's order in fact, but SQL does not promise it. */
const newestFirst = (a: Position, b: Position): number =>
  b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1)

export async function findPlan(database: Database, id: string): Promise<SweepPlan | undefined> {
  const [batch] = await database.read<BatchRow>(findBatch, [id])
  if (!batch) return undefined
  const transfers = await database.read<TransferRow>(listTransfers, [id])
  return { batch: batchFromRow(batch), transfers: transfers.map(transferFromRow) }
}

export async function readBatches(database: Database, query: PageQuery): Promise<Page<SweepBatchCounts>> {
  const rows = await database.read<BatchRow & Record<SweepStatus, number>>(listBatches, keysetOf(query))
  const batches = rows.map(({ planned, signed, solid, failed, expired, ...row }) => {
    const counts = { planned, signed, solid, failed, expired }
    return { id: row.id, createdAt: row.createdAt, batch: batchFromRow(row), counts }
  })
  const { items, next } = pageOf(batches.toSorted(newestFirst), query.limit)
  return { items: items.map(({ batch, counts }) => ({ batch, counts })), next }
}

export async function readSwept(
  database: Database,
  chain: Chain,
  accounts: readonly ChainAccount[],
): Promise<ReadonlyMap<ChainAccount, SweptAmounts>> {
  const wanted = Array.from(new Set(accounts))
  const rows = await database.read<{ account: string; solid: bigint; live: bigint }>(sumSwept, [chain, wanted])
  return new Map(rows.map(({ account, solid, live }) => [account, { solid: usdt(solid), live: usdt(live) }]))
}
