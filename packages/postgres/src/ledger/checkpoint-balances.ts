import type pg from 'pg'
import { runStatement } from '../connection/run-statement.ts'
import { answerTimeoutMs, clientConfig, withConnection } from '../connection/connection.ts'

export type CheckpointOptions = {
  /** How many entries of a wallet's log a checkpoint adds to the one before it. Default 10000. */
  readonly size?: number
}

/** A wallet's `seq` counts its entries: neither the log nor the sums are read. */
const walletsDue = {
  text: `
    select w.tenant_id from quipu.wallet w
    where w.seq >= $1 + coalesce((
      select max(c.through_seq) from quipu.balance_checkpoint c where c.tenant_id = w.tenant_id
    ), 0)`,
}
/** See 0017-balance-checkpoints.sql. */
const checkpointBalance = {
  name: 'checkpoint_balance',
  text: 'select quipu.checkpoint_balance($1, $2) as added',
}

/**
 * Adds balance checkpoints to every wallet whose log has grown by `size` entries since its newest one.
 *
 * To be called every hour or so by a host that runs for long; any number may do it at once. Without it
 * nothing is wrong, but the books of a wallet take longer to read the longer its log is.
 *
 * @returns how many checkpoints were added
 * @throws when the database cannot be asked; the checkpoints added until then stay
 */
export async function checkpointBalances(
  connection: string | pg.ClientConfig,
  { size = 10_000 }: CheckpointOptions = {},
): Promise<number> {
  const config = clientConfig({ url: connection })
  const within = answerTimeoutMs(config)
  return withConnection(config, async (client) => {
    let checkpoints = 0
    const due = await runStatement<{ tenant_id: string }>(client, walletsDue, [size], within)
    for (const { tenant_id } of due)
      for (;;) {
        const values = [tenant_id, size]
        const [row] = await runStatement<{ added: boolean }>(
          client,
          checkpointBalance,
          values,
          within,
        )
        if (!row?.added) break
        checkpoints += 1
      }
    return checkpoints
  })
}
