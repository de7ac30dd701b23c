import type pg from 'pg'
import { withConnection } from '../connection/connection.ts'

/**
 * Lets callers of this database set its clock (`clockOverride`), for tests: with the clock, they choose whether a
 * quote has expired and of which day the limits are. Nothing takes it back.
 *
 * @param connection  of the role that migrates
 */
export const allowTestClock = (connection: string | pg.ClientConfig): Promise<void> =>
  withConnection(connection, async (client) => {
    await client.query('insert into quipu.test_clock default values on conflict do nothing')
  })
