import type {
  ScanAdvance,
  BlockRef,
  Chain,
  ScanStore,
  ObservedTransfer,
  UnconfirmedTransfer,
} from '@quipu/core'
import type { Database, Statement } from '../connection/database.ts'
import { eventColumns } from '../event/event-columns.ts'

// migrations/0010-scans.sql decides what these write.

const claim: Statement = {
  name: 'scan.claim',
  text: `
    select fencing_token, block_number, block_id, block_at
    from quipu.claim_scan($1, $2, $3, $4)`,
}

const renew: Statement = {
  name: 'scan.renew',
  text: 'select quipu.renew_scan($1, $2, $3, $4, $5) as done',
}

const yieldClaim: Statement = {
  name: 'scan.yield',
  text: 'select quipu.yield_scan($1, $2, $3) as done',
}

const rewind: Statement = {
  name: 'scan.rewind',
  text: 'select quipu.rewind_scan($1, $2, $3, $4, $5, $6, $7) as done',
}

const advance: Statement = {
  name: 'scan.advance',
  text: `
    select quipu.advance_scan($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
      $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28) as contradicted`,
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

export const scanStatements: readonly Statement[] = [at, refsAbove, unconfirmed]

type AtRow =
  | { readonly block_number: null }
  | { readonly block_number: bigint; readonly block_id: string; readonly block_at: Date }

type ClaimRow = AtRow & { readonly fencing_token: number }

type DoneRow = { readonly done: boolean }

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
    const values = [chain, view, leaseSeconds, database.clockOverride()]
    const [row] = await database.query<ClaimRow>(claim, values)
    return row && { claim: { chain, view, fencingToken: row.fencing_token }, at: atFromRow(row) }
  },
  renew: async ({ chain, view, fencingToken }, leaseSeconds) => {
    const values = [chain, view, fencingToken, leaseSeconds, database.clockOverride()]
    const [row] = await database.query<DoneRow>(renew, values)
    return row?.done === true
  },
  yieldClaim: async ({ chain, view, fencingToken }) => {
    await database.query(yieldClaim, [chain, view, fencingToken])
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
  advance: async ({ chain, view, fencingToken }, write) => {
    const values = [chain, view, fencingToken, ...advanceValues(write), database.clockOverride()]
    const [row] = await database.query<{ contradicted: number[] | null }>(advance, values)
    if (!row?.contradicted) return { type: 'stale' }
    const places = new Set(row.contradicted)
    const contradicted = write.observedTransfers
      .filter((_, n) => places.has(n + 1))
      .map(({ step: { deposit } }) => {
        return { chain, txHash: deposit.txHash, transferIndex: deposit.transferIndex }
      })
    return { type: 'committed', contradicted }
  },
  rewind: async ({ chain, fencingToken }, from, to) => {
    const values = [chain, fencingToken, from.number, from.id, to.number, to.id, to.at]
    const [row] = await database.query<DoneRow>(rewind, values)
    return row?.done ? 'committed' : 'stale'
  },
})

const atFromRow = (row: AtRow): BlockRef | undefined =>
  row.block_number === null
    ? undefined
    : { number: Number(row.block_number), id: row.block_id, at: row.block_at }

const unconfirmedFromRow = (row: UnconfirmedRow): UnconfirmedTransfer => ({
  chain: row.chain,
  txHash: row.tx_hash,
  transferIndex: row.transfer_index,
  address: row.address,
  expiresAt: row.expires_at,
})

const advanceValues = ({
  from,
  blocks,
  observedTransfers,
  gone,
}: ScanAdvance): readonly unknown[] => [
  from?.number,
  from?.id,
  blocks.map(({ number }) => number),
  blocks.map(({ id }) => id),
  blocks.map((block) => block.at),
  gone.map(({ txHash }) => txHash),
  gone.map(({ transferIndex }) => transferIndex),
  ...transferColumns(observedTransfers),
  ...eventColumns(observedTransfers.map(({ step }) => step.event)),
]

const transferColumns = (observed: readonly ObservedTransfer[]): readonly unknown[] => {
  const deposits = observed.map(({ step }) => step.deposit)
  return [
    deposits.map(({ id }) => id),
    deposits.map(({ tenantId }) => tenantId),
    deposits.map(({ txHash }) => txHash),
    deposits.map(({ transferIndex }) => transferIndex),
    deposits.map(({ address }) => address),
    deposits.map(({ fromAddress }) => fromAddress),
    observed.map(({ sender }) => sender),
    deposits.map(({ amount }) => amount.minor),
    observed.map(({ block }) => block),
    deposits.map(({ createdAt }) => createdAt),
    observed.map(({ expiresAt }) => expiresAt),
    observed.map(({ step }) => step.event.occurredAt),
    observed.map(({ step }) => step.event.recordedAt),
  ]
}
