import type { ConsoleSession, ConsoleSessionStore } from '@quipu/core/operator'
import type { Database, Statement } from '../connection/database.ts'
import { credentialJson } from '../operator-token/credential.ts'
import { type TokenRow, tokenFromRow } from '../operator-token/token-row.ts'

type SessionRow = TokenRow & { readonly token_hash: string; readonly session_expires_at: Date }

// Decided by migrations/0038-console-sessions.sql.

const openConsoleSession: Statement = {
  name: 'open_console_session',
  text: 'select quipu.open_console_session($1, $2, $3, $4) as opened',
}

const authenticateConsoleSession: Statement = {
  name: 'authenticate_console_session',
  text: 'select * from quipu.authenticate_console_session($1, $2)',
}

const endConsoleSession: Statement = {
  name: 'end_console_session',
  text: 'select quipu.end_console_session($1, $2, $3) as ended',
}

/** Console sessions in PostgreSQL. The stores' role can read no hash. */
export function postgresConsoleSessionStore(database: Database): ConsoleSessionStore {
  const authenticate = async (hash: string, at: Date): Promise<ConsoleSession | undefined> => {
    const [row] = await database.readLatest<SessionRow>(authenticateConsoleSession, [hash, at])
    return row && sessionFromRow(row)
  }
  return {
    authenticate,
    open: async ({ hash, by, at, expiresAt }) => {
      const values = [hash, credentialJson(by), at, expiresAt]
      const [row] = await database.write<{ opened: boolean }>(openConsoleSession, values)
      return row?.opened === true ? authenticate(hash, at) : undefined
    },
    end: async (hash, { address = null }, at) => {
      const values = [hash, address, at]
      const [row] = await database.write<{ ended: boolean }>(endConsoleSession, values)
      return row?.ended === true
    },
  }
}

const sessionFromRow = (row: SessionRow): ConsoleSession => ({
  token: tokenFromRow(row),
  tokenHash: row.token_hash,
  expiresAt: row.session_expires_at,
})
