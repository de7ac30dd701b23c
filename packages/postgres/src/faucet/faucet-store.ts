import { Unavailable } from '@quipu/core'
import type { FaucetCommitResult, FaucetDraft, FaucetStore } from '@quipu/core/adapter'
import { type ClaimColumns, isDone } from '../claim-answer.ts'
import { type Database, statement } from '../connection/database.ts'
import { commitSend, findSend, getSend, usageAt } from './faucet-commit.ts'
import { faucetColumns, type FaucetRow, sendFromRow } from './faucet-row.ts'

// Decided by migrations/0011-faucet.sql.

const claimFaucetSends = statement('claim_faucet_sends')`
  select ${faucetColumns}, f.fencing_token, f.claim_count
  from quipu.claim_faucet_sends($1, $2, $3) f`

type ClaimRow = FaucetRow & ClaimColumns

const yieldFaucetSend = statement('yield_faucet_send')`select quipu.yield_faucet_send($1, $2, $3, $4, $5) as done`

const settleFaucetSend = statement('settle_faucet_send')`select quipu.settle_faucet_send($1, $2, $3, $4) as done`

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
    usageAt(database.read, tenantId, account, windowSeconds, database.clockOverride()),
  commit: (draft, ...rest) => sendOnce(draft, () => commitSend(database, draft, ...rest)),
  claimDue: async (limit, leaseSeconds) => {
    const rows = await database.query<ClaimRow>(claimFaucetSends, [limit, leaseSeconds, database.clockOverride()])
    return rows.map(({ fencing_token, claim_count, ...row }) => ({
      claim: { tenantId: row.tenantId, sendId: row.id, fencingToken: fencing_token },
      send: sendFromRow(row),
      claimCount: claim_count,
    }))
  },
  yieldClaim: async ({ tenantId, sendId, fencingToken }, dueInSeconds) => {
    const values = [tenantId, sendId, fencingToken, dueInSeconds, database.clockOverride()]
    return isDone(database.query, yieldFaucetSend, values)
  },
  settle: async ({ tenantId, sendId, fencingToken }, status) => {
    const values = [tenantId, sendId, fencingToken, status]
    return (await isDone(database.query, settleFaucetSend, values)) ? 'committed' : 'stale'
  },
})

/** Retries a write whose answer was lost. If the retry finds this very send, the first try was committed. */
async function sendOnce({ id }: FaucetDraft, commit: () => Promise<FaucetCommitResult>): Promise<FaucetCommitResult> {
  try {
    return await commit()
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    const again = await commit()
    return again.type === 'stored' && again.send.id === id ? { ...again, type: 'committed' } : again
  }
}
