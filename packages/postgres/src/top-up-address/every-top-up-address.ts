import type { TopUpAddress } from '@quipu/core'
import type { Chain } from '@quipu/core/adapter'
import type pg from 'pg'
import { withConnection } from '../connection/connection.ts'
import { topUpColumns, topUpFromRow, type TopUpRow } from './top-up-address-row.ts'

const pageSize = 1_000

const page = `
  select ${topUpColumns} from quipu.top_up_address a
  where a.chain = $1 and a.index < $2
  order by a.index desc limit ${pageSize}`

/**
 * Reads every top-up address of a chain, retired ones too, the newest index first.
 *
 * @param each  called with up to 1,000 addresses; false ends the reading
 * @throws Error when the database does not answer
 */
export async function everyTopUpAddress(
  connection: string | pg.ClientConfig,
  chain: Chain,
  each: (addresses: readonly TopUpAddress[]) => boolean,
): Promise<void> {
  await withConnection(connection, async (client) => {
    let before = 2 ** 31 - 1
    for (;;) {
      const { rows } = await client.query<TopUpRow>(page, [chain, before])
      const last = rows.at(-1)
      if (last === undefined || !each(rows.map(topUpFromRow))) return
      before = last.top_up_index
    }
  })
}
