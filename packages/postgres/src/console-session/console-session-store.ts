import type { ConsoleSession, ConsoleSessionStore, SessionRecord } from '@quipu/core/operator'
import { answer } from '../answer.ts'
import { type Database, statement } from '../connection/database.ts'
import { credentialJson } from '../operator-token/credential.ts'
import { type TokenRow, tokenFromRow } from '../operator-token/token-row.ts'
import { keysetOf, pageOf } from '../page.ts'

type SessionRow = TokenRow & {
  readonly token_hash: string
  readonly session_expires_at: Date
  readonly origin: ConsoleSession['origin']
  readonly has_second_factor: boolean
  readonly seen_at: Date
}

// Decided by migrations/0038-console-sessions.sql and migrations/0044-sign-in.sql.

const openConsoleSession = statement('open_console_session')`
  select quipu.open_console_session($1, $2, $3, $4, $5, $6) as result`

const signIn = statement('sign_in')`select quipu.sign_in($1, $2, $3, $4, $5, $6, $7, $8, $9) as opened`

const authenticateConsoleSession = statement('authenticate_console_session')`
  select * from quipu.authenticate_console_session($1, $2, $3)`

const touchConsoleSession = statement('touch_console_session')`select quipu.touch_console_session($1, $2)`

const endConsoleSession = statement('end_console_session')`select quipu.end_console_session($1, $2, $3) as ended`

const endSessionOf = statement('end_session_of')`select quipu.end_session_of($1, $2, $3) as result`

/** Parameters: $1 and $2 the row before the page, $3 number of rows, $4 person, $5 the instant, $6 the idle seconds. */
const listSessions = statement('console_session.list')`
  select s.fingerprint as id, s.token_id as "tokenId", t.person, t.role, s.origin,
    s.has_second_factor as "hasSecondFactor", s.address, s.browser, s.created_at as "createdAt",
    s.seen_at as "seenAt", s.expires_at as "expiresAt"
  from quipu.console_session s join quipu.operator_token t on t.id = s.token_id
  where (s.created_at, s.fingerprint) < ($1, $2) and ($4::text is null or t.person = $4)
    and s.ended_at is null and s.expires_at > $5 and s.seen_at > $5 - make_interval(secs => $6)
    and t.revoked_at is null and t.expires_at > $5
  order by s.created_at desc, s.fingerprint desc limit $3`

/** Console sessions in PostgreSQL. The stores' role can read no hash. */
export function postgresConsoleSessionStore(database: Database): ConsoleSessionStore {
  const authenticate = async (hash: string, at: Date, idleMs: number): Promise<ConsoleSession | undefined> => {
    const [row] = await database.readLatest<SessionRow>(authenticateConsoleSession, [hash, at, idleMs / 1_000])
    return row && sessionFromRow(row)
  }
  const opened = async (hash: string, at: Date): Promise<ConsoleSession> => {
    const session = await authenticate(hash, at, 1_000)
    if (!session) throw new Error('the session that was opened is not there')
    return session
  }
  return {
    authenticate,
    open: async ({ hash, by, browser, at, expiresAt, code }) => {
      const values = [
        hash,
        credentialJson(by),
        at,
        expiresAt,
        JSON.stringify({ browser }),
        code ? JSON.stringify(code) : null,
      ]
      type Opened = 'committed' | 'unauthorized' | 'needs_second_factor'
      const result = await answer<Opened>(database.write, openConsoleSession, values)
      return result === 'committed' ? opened(hash, at) : result
    },
    signIn: async ({ tokenId, person, role, tokenHash, hash, mac, address, browser, at, expiresAt }) => {
      const about = JSON.stringify({ address, browser })
      const values = [tokenId, person, role, tokenHash, hash, mac, about, at, expiresAt]
      const [row] = await database.write<{ opened: boolean }>(signIn, values)
      return row?.opened === true ? opened(hash, at) : undefined
    },
    touch: async (hash, at) => {
      await database.write(touchConsoleSession, [hash, at])
    },
    list: async ({ person = null, now, idleMs, ...query }) => {
      const values = [...keysetOf(query), person, now, idleMs / 1_000]
      return pageOf(await database.list<SessionRecord>(listSessions, values), query.limit)
    },
    end: async (hash, { address = null }, at) => {
      const values = [hash, address, at]
      const [row] = await database.write<{ ended: boolean }>(endConsoleSession, values)
      return row?.ended === true
    },
    endListed: (id, by, at) => answer(database.write, endSessionOf, [id, credentialJson(by), at]),
  }
}

const sessionFromRow = (row: SessionRow): ConsoleSession => ({
  token: tokenFromRow(row),
  tokenHash: row.token_hash,
  expiresAt: row.session_expires_at,
  origin: row.origin,
  hasSecondFactor: row.has_second_factor,
  seenAt: row.seen_at,
})
