import { Unavailable } from '@quipu/core'
import {
  type Credential,
  plannedLookSeconds,
  type SweepPlan,
  type SweepStore,
  type SweepTransfer,
} from '@quipu/core/operator'
import { type ClaimColumns, isDone } from '../claim-answer.ts'
import { onlyRow } from '../answer.ts'
import { type Database, statement } from '../connection/database.ts'
import { credentialJson } from '../operator-token/credential.ts'
import { findPlan, readAddresses, readBatches, readSwept } from './sweep-list.ts'
import { transferColumns, transferFromRow, transferItem, type TransferRow } from './sweep-row.ts'

// Decided by migrations/0031-sweeps.sql.

const planSweep = statement('plan_sweep')`
  select result, coalesce(planned, '{}') as ids
  from quipu.plan_sweep($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`

const signSweep = statement('sign_sweep')`
  select result, coalesce(signed, '{}') as ids from quipu.sign_sweep($1, $2, $3, $4, $5, $6)`

const claimSweeps = statement('claim_sweeps')`
  select ${transferColumns}, t.fencing_token, t.claim_count, b.treasury_account
  from quipu.claim_sweeps($1, $2, $3) t join quipu.sweep_batch b on b.id = t.batch_id`

type ClaimRow = TransferRow & ClaimColumns & { readonly treasury_account: string }

const yieldSweep = statement('yield_sweep')`select quipu.yield_sweep($1, $2, $3, $4, $5, $6) as done`

const settleSweep = statement('settle_sweep')`select quipu.settle_sweep($1, $2, $3, $4) as done`

type Written = { readonly result: 'committed' | 'unauthorized'; readonly ids: readonly string[] }

function idsOf(rows: readonly Written[]): readonly string[] | 'unauthorized' {
  const { result, ids } = onlyRow(rows)
  return result === 'committed' ? ids : result
}

/** Sweeps in PostgreSQL. */
export const postgresSweepStore = (database: Database): SweepStore => ({
  addresses: (chain, query) => readAddresses(database, chain, query),
  find: (batchId) => findPlan(database, batchId),
  list: (query) => readBatches(database, query),
  sweptOf: (chain, accounts) => readSwept(database, chain, accounts),
  insert: (plan, by) => insertOnce(database, plan, by),
  sign: async (batchId, signatures, by) => {
    const rows = await database.write<Written>(signSweep, [
      batchId,
      signatures.map(({ transferId }) => transferId),
      signatures.map(({ signature }) => Buffer.from(signature, 'hex')),
      credentialJson(by),
      by.at,
      database.clockOverride(),
    ])
    return idsOf(rows)
  },
  claimDue: async (limit, leaseSeconds) => {
    const values = [limit, leaseSeconds, database.clockOverride()]
    // A claim leads to a broadcast, so what it reads must be durable.
    const rows = await database.write<ClaimRow>(claimSweeps, values)
    return rows.map(({ fencing_token, claim_count, treasury_account, ...row }) => ({
      claim: { transferId: row.id, fencingToken: fencing_token },
      transfer: transferFromRow(row),
      treasury: treasury_account,
      claimCount: claim_count,
    }))
  },
  yieldClaim: async ({ transferId, fencingToken }, dueInSeconds, { sentAt, problem }) => {
    const values = [transferId, fencingToken, dueInSeconds, sentAt, problem, database.clockOverride()]
    return isDone(database.query, yieldSweep, values)
  },
  settle: async ({ transferId, fencingToken }, status, at) => {
    const values = [transferId, fencingToken, status, at]
    return (await isDone(database.write, settleSweep, values)) ? 'committed' : 'stale'
  },
})

/** Reads the batch back after a lost answer, so that a plan that was committed is not reported as unknown. */
async function insertOnce(
  database: Database,
  plan: SweepPlan,
  by: Credential,
): Promise<readonly SweepTransfer[] | 'unauthorized'> {
  try {
    return await insert(database, plan, by)
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    const find = async () => (await findPlan(database, plan.batch.id))?.transfers
    const stored = await find()
    if (stored !== undefined) return stored
    const repeated = await insert(database, plan, by)
    // The first insertion can be committed while the second one waits for it.
    return repeated.length > 0 ? repeated : ((await find()) ?? repeated)
  }
}

async function insert(
  database: Database,
  { batch, transfers }: SweepPlan,
  by: Credential,
): Promise<readonly SweepTransfer[] | 'unauthorized'> {
  const { id, chain, treasury, threshold, createdAt, expiresAt } = batch
  const values = [id, chain, treasury.account, treasury.address, threshold.minor]
  const rows = await database.write<Written>(planSweep, [
    ...values,
    credentialJson(by),
    createdAt,
    expiresAt,
    plannedLookSeconds,
    JSON.stringify(transfers.map(transferItem)),
    database.clockOverride(),
  ])
  const ids = idsOf(rows)
  if (ids === 'unauthorized') return ids
  const inserted = new Set(ids)
  return transfers.filter((each) => inserted.has(each.id))
}
