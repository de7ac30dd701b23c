import type pg from 'pg'
import { runStatement } from '../connection/run-statement.ts'
import { answerTimeoutMs, clientConfig, withSession } from '../connection/connection.ts'

/** How often a balance is written down, and for how many wallets at once. */
export type CheckpointOptions = {
  /** How many entries of a wallet's log lie between two checkpoints. Default 10000. */
  readonly size?: number
}

/** Compares the wallets' `seq` with their checkpoints, and reads no log. */
const walletsDue = {
  text: `
    select w.tenant_id from quipu.wallet w
    where w.seq >= $1 + coalesce((
      select max(c.through_seq) from quipu.balance_checkpoint c where c.tenant_id = w.tenant_id
    ), 0)`,
}
// Decided by migrations/0019-balance-checkpoints.sql.
const checkpointBalance = { name: 'checkpoint_balance', text: 'select quipu.checkpoint_balance($1, $2) as added' }

/**
 * Adds balance checkpoints to every wallet whose log has grown by `size` entries since its newest one.
 *
 * Call it about once an hour in a long-running host; concurrent calls are safe. Without it nothing breaks,
 * but the time of a reconciliation grows with the wallet's log.
 *
 * @returns how many checkpoints were added
 * @throws Error when the database does not answer; checkpoints that were added before stay
 */
export async function checkpointBalances(
  connection: string | pg.ClientConfig,
  { size = 10_000 }: CheckpointOptions = {},
): Promise<number> {
  const config = clientConfig({ url: connection })
  const within = answerTimeoutMs(config)
  return withSession(config, async (client) => {
    let checkpoints = 0
    const due = await runStatement<{ tenant_id: string }>(client, walletsDue, [size], within)
    for (const { tenant_id } of due)
      for (;;) {
        const values = [tenant_id, size]
        const [row] = await runStatement<{ added: boolean }>(client, checkpointBalance, values, within)
        if (!row?.added) break
        checkpoints += 1
      }
    return checkpoints
  })
}
