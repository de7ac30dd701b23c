import type {
  ScanAdvance,
  BlockRef,
  Chain,
  ScanStore,
  ObservedTransfer,
  UnconfirmedTransfer,
} from '@quipu/core/adapter'
import { isDone } from '../claim-answer.ts'
import { type Database, statement } from '../connection/database.ts'
import { activeTraceparent } from '@quipu/tracing'

// Decided by migrations/0010-scans.sql.

const claimScan = statement('claim_scan')`
  select fencing_token, block_number, block_id, block_at
  from quipu.claim_scan($1, $2, $3, $4)`

const renewScan = statement('renew_scan')`select quipu.renew_scan($1, $2, $3, $4, $5) as done`

const yieldScan = statement('yield_scan')`select quipu.yield_scan($1, $2, $3) as done`

const rewindScan = statement('rewind_scan')`select quipu.rewind_scan($1, $2, $3, $4, $5, $6, $7) as done`

const advanceScan = statement('advance_scan')`
  select quipu.advance_scan($1, $2, $3, $4, $5, $6, $7, $8, $9) as contradicted`

const at = statement('scan.at')`select block_number, block_id, block_at from quipu.scan where chain = $1 and view = $2`

const refsAbove = statement('scan.refs_above')`
  select number, id, at from quipu.scanned_block
  where chain = $1 and number > $2 order by number desc`

const unconfirmed = statement('scan.unconfirmed')`
  select chain, tx_hash, transfer_index, address, expires_at from quipu.deposit
  where chain = $1 and first_block <= $2 and status = 'pending' and solid is null`

type AtRow =
  | { readonly block_number: null }
  | { readonly block_number: bigint; readonly block_id: string; readonly block_at: Date }

type ClaimRow = AtRow & { readonly fencing_token: number }

type UnconfirmedRow = {
  readonly chain: Chain
  readonly tx_hash: string
  readonly transfer_index: number
  readonly address: string
  readonly expires_at: Date
}

/** Scans in PostgreSQL. The deposit store settles the deposits that they insert. */
export const postgresScanStore = (database: Database): ScanStore => ({
  claim: async (chain, view, leaseSeconds) => {
    const values = [chain, view, leaseSeconds, database.clockOverride()]
    const [row] = await database.query<ClaimRow>(claimScan, values)
    return row && { claim: { chain, view, fencingToken: row.fencing_token }, at: atFromRow(row) }
  },
  renew: async ({ chain, view, fencingToken }, leaseSeconds) => {
    const values = [chain, view, fencingToken, leaseSeconds, database.clockOverride()]
    return isDone(database.query, renewScan, values)
  },
  yieldClaim: async ({ chain, view, fencingToken }) => {
    await database.query(yieldScan, [chain, view, fencingToken])
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
    const [row] = await database.query<{ contradicted: number[] | null }>(advanceScan, values)
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
    return (await isDone(database.query, rewindScan, values)) ? 'committed' : 'stale'
  },
})

const atFromRow = (row: AtRow): BlockRef | undefined =>
  row.block_number === null ? undefined : { number: Number(row.block_number), id: row.block_id, at: row.block_at }

const unconfirmedFromRow = (row: UnconfirmedRow): UnconfirmedTransfer => ({
  chain: row.chain,
  txHash: row.tx_hash,
  transferIndex: row.transfer_index,
  address: row.address,
  expiresAt: row.expires_at,
})

function advanceValues({ from, blocks, observedTransfers, gone }: ScanAdvance): readonly unknown[] {
  const ruledOut = gone.map(({ txHash, transferIndex }) => ({ tx_hash: txHash, transfer_index: transferIndex }))
  const json = [blocks, ruledOut, observedTransfers.map(transferRow)].map((each) => JSON.stringify(each))
  return [from?.number, from?.id, ...json]
}

const transferRow = ({ step: { deposit, event }, sender, block, expiresAt }: ObservedTransfer) => ({
  deposit_id: deposit.id,
  tenant_id: deposit.tenantId,
  tx_hash: deposit.txHash,
  transfer_index: deposit.transferIndex,
  address: deposit.address,
  from_address: deposit.fromAddress,
  sender,
  amount: String(deposit.amount.minor),
  block_number: block,
  created_at: deposit.createdAt,
  expires_at: expiresAt,
  occurred_at: event.occurredAt,
  recorded_at: event.recordedAt,
  event_id: event.id,
  traceparent: activeTraceparent(),
})
