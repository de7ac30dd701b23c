import type { PaymentGate } from '@quipu/core/operator'
import type pg from 'pg'
import { withConnection } from '../connection/connection.ts'
import { type OwnerConnection, withOwner } from '../connection/owner-session.ts'
import { logMemory } from '../restore/log-memory.ts'

// Decided by migrations/0040-restores.sql.

/** Whether payments begin. A database that was restored is halted by the first look at it. */
export const readGate = async (connection: string | pg.ClientConfig): Promise<PaymentGate> =>
  withConnection(connection, (client) =>
    logMemory().observe(
      async ({ text }, values) => (await client.query<Record<string, unknown>>(text, [...values])).rows,
    ),
  )

/**
 * Halts payments because a person knows that the database went back, and writes the audit entry `restore.declare`.
 *
 * @param connection  of the role that migrates: processes may not do this
 * @returns false when they are halted
 */
export const declareRestore = async (connection: OwnerConnection, reason: string, at: Date): Promise<boolean> =>
  change('declare_restore', connection, reason, at)

/**
 * Lets payments begin on a database whose payments are halted or not compared, and writes the audit entry
 * `restore.confirm`.
 *
 * @param connection  of the role that migrates: processes may not do this
 * @returns false when there was nothing to confirm
 */
export const confirmRestore = async (connection: OwnerConnection, reason: string, at: Date): Promise<boolean> =>
  change('confirm_restore', connection, reason, at)

const change = (
  name: 'declare_restore' | 'confirm_restore',
  connection: OwnerConnection,
  reason: string,
  at: Date,
): Promise<boolean> =>
  withOwner(connection, async (client) => {
    type Row = { readonly changed: boolean }
    const { rows } = await client.query<Row>(`select quipu.${name}($1, $2) as changed`, [reason, at])
    return rows[0]?.changed === true
  })
