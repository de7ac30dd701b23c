import pg from 'pg'
import { clientConfig, type ConnectionOptions, withConnection } from './connection.ts'
import { sharedSession, UnfitSession } from './session.ts'

/** The process id that the connection received when it started, from the server or from a pooler in front of it. */
const startPid = (client: pg.Client): unknown => Reflect.get(client, 'processID')

const serverPid = async (client: pg.Client): Promise<unknown> =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid

/** How many times the sessions of two connections are compared: a pooler shares one of several at random. */
const comparisons = 16

/**
 * Refuses a pooler that gives a connection no session of its own: its settings and prepared statements would be those
 * of others, and a read would be confirmed by another session's commit.
 *
 * A server sends a connection the process id of its session, a pooler another one. Behind a pooler, one connection's
 * open transaction must never run in the session of another connection.
 *
 * @throws UnfitSession
 */
export async function requireOwnSession(options: ConnectionOptions): Promise<void> {
  const config = clientConfig(options)
  await withConnection(config, async (one) => {
    if ((await serverPid(one)) === startPid(one)) return
    await withConnection(config, async (other) => {
      for (let n = 0; n < comparisons; n++) if (await isShared(one, other)) throw refused()
    })
  })
}

async function isShared(one: pg.Client, other: pg.Client): Promise<boolean> {
  const own = await serverPid(one)
  // A pooler that shares two sessions in turn gives `one` the same session whenever `other` holds the second one.
  if ((await serverPid(one)) !== own) return true
  try {
    await other.query('begin')
    const others = await serverPid(other)
    return own === others || (await serverPid(one)) !== own
  } catch (error) {
    // A pooler in statement mode refuses transactions.
    if (error instanceof pg.DatabaseError && error.code === '08P01') return true
    throw error
  } finally {
    await other.query('rollback').catch(() => undefined)
  }
}

const refused = (): UnfitSession => new UnfitSession(`DATABASE_URL: ${sharedSession}`)

/** Refuses every pooler, for work that needs the session itself. @throws UnfitSession */
export async function requireDirect(client: pg.Client): Promise<void> {
  if ((await serverPid(client)) !== startPid(client))
    throw new UnfitSession(
      'DATABASE_URL leads to a pooler, which would keep a lock of this program after its end. Connect to PostgreSQL directly.',
    )
}
