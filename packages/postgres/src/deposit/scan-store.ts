import type { Advance, BlockRef, Chain, ScanStore, Sighting, Unconfirmed } from '@quipu/core'
import type { Database, Statement } from '../connection/database.ts'

const claim: Statement = {
  name: 'scan.claim',
  text: `
    insert into quipu.scan as s (chain, view, fence, leased_until)
    values ($1, $2, 1, quipu.store_now($4) + make_interval(secs => $3))
    on conflict (chain, view) do update
    set fence = s.fence + 1, leased_until = excluded.leased_until
    where s.leased_until <= quipu.store_now($4)
    returning fence, block_number, block_id, block_at`,
}

const renew: Statement = {
  name: 'scan.renew',
  text: `
    update quipu.scan set leased_until = quipu.store_now($5) + make_interval(secs => $4)
    where chain = $1 and view = $2 and fence = $3
    returning fence`,
}

const release: Statement = {
  name: 'scan.release',
  text: `
    update quipu.scan set leased_until = '-infinity'
    where chain = $1 and view = $2 and fence = $3`,
}

const at: Statement = {
  name: 'scan.at',
  text: `
    select block_number, block_id, block_at from quipu.scan where chain = $1 and view = $2`,
}

const refsAbove: Statement = {
  name: 'scan.refs_above',
  text: `
    select number, id, at from quipu.scanned_block
    where chain = $1 and number > $2 order by number desc`,
}

const unconfirmed: Statement = {
  name: 'scan.unconfirmed',
  text: `
    select chain, tx_hash, transfer_index, address, expires_at from quipu.deposit
    where chain = $1 and first_block <= $2 and status = 'pending' and solid is null`,
}

const advance: Statement = {
  name: 'scan.advance',
  text: `
    select quipu.advance_scan($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) as contradicted`,
}

const rewind: Statement = {
  name: 'scan.rewind',
  text: `
    with moved as (
      update quipu.scan set block_number = $5, block_id = $6, block_at = $7
      where chain = $1 and view = 'head' and fence = $2 and block_number = $3 and block_id = $4
      returning chain
    ), forgotten as (
      delete from quipu.scanned_block b using moved m where b.chain = m.chain and b.number > $5
    )
    select from moved`,
}

export const scanStatements: readonly Statement[] = [
  claim,
  renew,
  release,
  at,
  refsAbove,
  unconfirmed,
  rewind,
]

type AtRow =
  | { readonly block_number: null }
  | { readonly block_number: bigint; readonly block_id: string; readonly block_at: Date }

type UnconfirmedRow = {
  readonly chain: Chain
  readonly tx_hash: string
  readonly transfer_index: number
  readonly address: string
  readonly expires_at: Date
}

/** Scans in PostgreSQL. What becomes of what they see is the deposit store's. */
export const postgresScanStore = (database: Database): ScanStore => ({
  claim: async (chain, view, leaseSeconds) => {
    const values = [chain, view, leaseSeconds, database.now()]
    const [row] = await database.query<AtRow & { fence: number }>(claim, values)
    return row && { claim: { chain, view, fence: row.fence }, at: atFromRow(row) }
  },
  renew: async ({ chain, view, fence }, leaseSeconds) => {
    const values = [chain, view, fence, leaseSeconds, database.now()]
    return (await database.query(renew, values)).length === 1
  },
  release: async ({ chain, view, fence }) => {
    await database.query(release, [chain, view, fence])
  },
  at: async (chain, view) => {
    const [row] = await database.read<AtRow>(at, [chain, view])
    return row && atFromRow(row)
  },
  refsAbove: async (chain, number) => {
    type Row = { readonly number: bigint; readonly id: string; readonly at: Date }
    const rows = await database.query<Row>(refsAbove, [chain, number])
    return rows.map((row) => ({ ...row, number: Number(row.number) }))
  },
  unconfirmed: async (chain, throughBlock) => {
    const rows = await database.query<UnconfirmedRow>(unconfirmed, [chain, throughBlock])
    return rows.map(unconfirmedFromRow)
  },
  advance: async ({ chain, view, fence }, write) => {
    const values = [chain, view, fence, ...advanceValues(write), database.now()]
    const [row] = await database.query<{ contradicted: number[] | null }>(advance, values)
    if (!row?.contradicted) return { type: 'stale' }
    const places = new Set(row.contradicted)
    const contradicted = write.sightings
      .filter((_, n) => places.has(n + 1))
      .map(({ step: { deposit } }) => {
        return { chain, txHash: deposit.txHash, transferIndex: deposit.transferIndex }
      })
    return { type: 'committed', contradicted }
  },
  rewind: async ({ chain, fence }, from, to) => {
    const values = [chain, fence, from.number, from.id, to.number, to.id, to.at]
    return (await database.query(rewind, values)).length === 1 ? 'committed' : 'stale'
  },
})

const atFromRow = (row: AtRow): BlockRef | undefined =>
  row.block_number === null
    ? undefined
    : { number: Number(row.block_number), id: row.block_id, at: row.block_at }

const unconfirmedFromRow = (row: UnconfirmedRow): Unconfirmed => ({
  chain: row.chain,
  txHash: row.tx_hash,
  transferIndex: row.transfer_index,
  address: row.address,
  expiresAt: row.expires_at,
})

const advanceValues = ({ from, blocks, sightings, gone }: Advance): readonly unknown[] => [
  from?.number,
  from?.id,
  blocks.map(({ number }) => number),
  blocks.map(({ id }) => id),
  blocks.map((block) => block.at),
  JSON.stringify(sightings.map(sightingRow)),
  gone.map(({ txHash }) => txHash),
  gone.map(({ transferIndex }) => transferIndex),
]

/** A `quipu.sighting` as JSON. */
const sightingRow = ({ step, event, sender, block, expiresAt }: Sighting) => ({
  deposit_id: step.deposit.id,
  tenant_id: step.deposit.tenantId,
  tx_hash: step.deposit.txHash,
  transfer_index: step.deposit.transferIndex,
  address: step.deposit.address,
  from_address: step.deposit.fromAddress,
  sender,
  amount: step.deposit.amount.minor.toString(),
  created_at: step.deposit.createdAt,
  block,
  expires_at: expiresAt,
  event_id: event.id,
  event_type: event.type,
  occurred_at: event.occurredAt,
  recorded_at: event.recordedAt,
  body: `\\x${Buffer.from(event.body).toString('hex')}`,
})
