import type pg from 'pg'
import { ask } from '../connection/ask.ts'
import { answerMs, clientConfig, withConnection } from '../connection/connection.ts'

export type ClosingOptions = {
  /** How many movements of a wallet are carried forward at a time. Default 10000. */
  readonly size?: number
}

const walletOwners = { text: 'select tenant_id from quipu.wallet' }
const closeBooksOf = { name: 'close_books', text: 'select quipu.close_books($1, $2) as closed' }

/**
 * Carries the books of every wallet forward that has moved often enough since the last time.
 *
 * To be called every hour or so by a host that runs for long; any number may do it at once. Without
 * it nothing is wrong, but the books of a wallet take longer to read the more it has moved.
 *
 * @returns how many closings were made
 * @throws when the database cannot be asked; what was carried forward until then stays
 */
export async function closeBooks(
  connection: string | pg.ClientConfig,
  { size = 10_000 }: ClosingOptions = {},
): Promise<number> {
  const config = clientConfig({ url: connection })
  const within = answerMs(config)
  return withConnection(config, async (client) => {
    let closings = 0
    for (const { tenant_id } of await ask<{ tenant_id: string }>(client, walletOwners, [], within))
      for (;;) {
        const values = [tenant_id, size]
        const [row] = await ask<{ closed: boolean }>(client, closeBooksOf, values, within)
        if (!row?.closed) break
        closings += 1
      }
    return closings
  })
}
