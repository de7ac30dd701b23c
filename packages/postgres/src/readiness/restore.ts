import type pg from 'pg'
import { withConnection } from '../connection/connection.ts'

// Decided by migrations/0041-many-copies.sql.

/** Whether the database was restored to an earlier moment, and nobody has confirmed it: no payment begins. */
export const isRestored = async (connection: string | pg.ClientConfig): Promise<boolean> =>
  withConnection(connection, async (client) => {
    type Row = { readonly is_restored: boolean }
    const { rows } = await client.query<Row>('select quipu.is_restored()')
    return rows[0]?.is_restored === true
  })

/**
 * Lets payments begin on a restored database, and writes the audit entry `restore.confirm`.
 *
 * @param connection  of the role that migrates: processes may not do this
 * @returns false when there was nothing to confirm
 */
export const confirmRestore = async (
  connection: string | pg.ClientConfig,
  reason: string,
  at: Date,
): Promise<boolean> =>
  withConnection(connection, async (client) => {
    type Row = { readonly confirmed: boolean }
    const text = 'select quipu.confirm_restore($1, $2) as confirmed'
    const { rows } = await client.query<Row>(text, [reason, at])
    return rows[0]?.confirmed === true
  })
