import type pg from 'pg'
import { ask } from './ask.ts'
import { answerMs, clientConfig, withConnection } from './connection.ts'

export type ClosingOptions = {
  /** How many movements of a wallet are carried forward at a time. Default 100000. */
  readonly size?: number
}

/**
 * Carries the books of every wallet forward that has moved often enough since the last time, once.
 *
 * To be called every hour or so by a host that runs for long, and again at once for as long as it has
 * something to do. Safe to run by many processes at once. Without it nothing is wrong, but the books
 * of a wallet take longer to read the more it has moved.
 *
 * @returns how many wallets there were
 * @throws when the database cannot be asked; what was carried forward until then stays
 */
export async function closeBooks(
  connection: string | pg.ClientConfig,
  { size = 100_000 }: ClosingOptions = {},
): Promise<number> {
  const config = clientConfig({ url: connection })
  return withConnection(config, async (client) => {
    const within = answerMs(config)
    const wallets = await ask<{ tenant_id: string }>(
      client,
      { text: 'select tenant_id from quipu.wallet' },
      [],
      within,
    )
    let closed = 0
    for (const { tenant_id } of wallets) {
      const [row] = await ask<{ closed: boolean }>(client, closeOne, [tenant_id, size], within)
      if (row?.closed) closed += 1
    }
    return closed
  })
}

const closeOne = { name: 'close_books', text: 'select quipu.close_books($1, $2) as closed' }
