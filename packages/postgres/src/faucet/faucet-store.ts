import { type FaucetCommitted, type FaucetDraft, type FaucetStore, Unavailable } from '@quipu/core'
import type { Database, Statement } from '../connection/database.ts'
import { commitSend, findSend, getSend, readUsage, usageAt } from './faucet-commit.ts'
import { faucetColumns, type FaucetRow, sendFromRow } from './faucet-row.ts'

/** A row that another worker is claiming is skipped, and one that it has just claimed is not due. */
const claimDue: Statement = {
  name: 'faucet.claim_due',
  text: `
    with due as materialized (
      select id from quipu.faucet_send
      where due_at <= (select quipu.store_now($3))
      order by due_at limit $1
      for no key update skip locked
    ), f as (
      update quipu.faucet_send
      set fence = fence + 1, asked = asked + 1,
        due_at = quipu.store_now($3) + make_interval(secs => $2)
      where id = any (array(select id from due))
      returning faucet_send.*, old.due_at as was_due_at
    )
    select ${faucetColumns}, f.fence, f.asked from f order by f.was_due_at`,
}

type ClaimRow = FaucetRow & { readonly fence: number; readonly asked: number }

const release: Statement = {
  name: 'faucet.release',
  text: `
    update quipu.faucet_send set due_at = quipu.store_now($4) + make_interval(secs => $3)
    where id = $1 and fence = $2 and due_at is not null
    returning id`,
}

const conclude: Statement = {
  name: 'faucet.conclude',
  text: `
    with ended as (
      update quipu.faucet_send set status = $3, due_at = null
      where id = $1 and fence = $2 and due_at is not null
      returning status, amount, created_at
    ), uncounted as (
      update quipu.faucet_minute m set amount = m.amount - e.amount
      from ended e where e.status = 'failed' and m.at = quipu.minute_end(e.created_at)
    )
    select from ended`,
}

export const faucetStatements: readonly Statement[] = [
  findSend,
  getSend,
  readUsage,
  claimDue,
  release,
  conclude,
]

/** The faucet's sends in PostgreSQL. */
export const postgresFaucetStore = (database: Database): FaucetStore => ({
  find: async (tenantId, key) => {
    const [row] = await database.read<FaucetRow>(findSend, [tenantId, key])
    return row && sendFromRow(row)
  },
  get: async (tenantId, id) => {
    const [row] = await database.read<FaucetRow>(getSend, [tenantId, id])
    return row && sendFromRow(row)
  },
  usage: (tenantId, account, windowSeconds) =>
    usageAt(database.read, tenantId, account, windowSeconds, database.now()),
  commit: (draft, ...rest) => sendOnce(draft, () => commitSend(database, draft, ...rest)),
  claimDue: async (limit, leaseSeconds) => {
    const rows = await database.query<ClaimRow>(claimDue, [limit, leaseSeconds, database.now()])
    return rows.map((row) => ({
      claim: { sendId: row.id, fence: row.fence },
      send: sendFromRow(row),
      asked: row.asked,
    }))
  },
  release: async ({ sendId, fence }, dueInSeconds) => {
    const values = [sendId, fence, dueInSeconds, database.now()]
    return (await database.query(release, values)).length === 1
  },
  conclude: async ({ sendId, fence }, status) =>
    (await database.query(conclude, [sendId, fence, status])).length === 1 ? 'committed' : 'stale',
})

/** A write whose answer was lost is sent again: that it is known by then means that it was made. */
async function sendOnce(
  { id }: FaucetDraft,
  commit: () => Promise<FaucetCommitted>,
): Promise<FaucetCommitted> {
  try {
    return await commit()
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    const again = await commit()
    return again.type === 'known' && again.send.id === id ? { ...again, type: 'committed' } : again
  }
}
