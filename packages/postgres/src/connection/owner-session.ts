import type pg from 'pg'
import { commitGuard } from './commit-guard.ts'
import { answerTimeoutMs, clientConfig, withConnection } from './connection.ts'
import { runStatement, type StatementText } from './run-statement.ts'
import { confirm, openSession } from './session.ts'

/** How the role that migrates connects: a URL, or the driver's settings. */
export type OwnerConnection =
  | string
  | (pg.ClientConfig & {
      /** As of `postgresStores`. */
      readonly isStandbyRequired?: boolean
    })

/** Without them a commit could return before its standby has it, or without the warning that it has not. */
const durable = { synchronous_commit: 'on', client_min_messages: 'notice' }

const usualMs = answerTimeoutMs(clientConfig({ url: '' }))

/** A session of the role that migrates. */
export type OwnerSession = {
  readonly client: pg.Client
  /**
   * Runs a statement that may commit. What this session has written, and what it has read, is durable when the promise
   * resolves.
   *
   * @throws Unavailable when the server does not confirm that, or required no standby
   */
  commit<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

/**
 * Runs `use` with a session of its own: what it has written is durable when the promise resolves. Where a standby is
 * required and the server requires none, `use` is not called.
 *
 * @throws Unavailable as `OwnerSession.commit`
 */
export const withOwner = <T>(connection: OwnerConnection, use: (client: pg.Client) => Promise<T>): Promise<T> =>
  withOwnerSession(connection, usualMs, async ({ client, commit }) => {
    const result = await use(client)
    await commit('select')
    return result
  })

/** As `withOwner`, for a server that may be a standby until `use` promotes it; `use` itself says what may commit. */
export async function withOwnerSession<T>(
  connection: OwnerConnection,
  withinMs: number,
  use: (session: OwnerSession) => Promise<T>,
): Promise<T> {
  const { isStandbyRequired = false, ...config } =
    typeof connection === 'string' ? { connectionString: connection } : connection
  const guard = commitGuard(
    (statement) => withConnection(config, (client) => runStatement<never>(client, statement, [], usualMs)),
    { isStandbyRequired },
  )
  return withConnection({ ...config, pipeline: isStandbyRequired }, async (client) => {
    for (const [name, value] of Object.entries(durable)) await client.query(`set ${name} = ${value}`)
    await openSession(client, durable, usualMs, 'standby')
    const run = (statement: StatementText, values: readonly unknown[] = []) =>
      guard.run<never>(client, statement, values, withinMs)
    await run({ text: 'select' })
    return use({
      client,
      commit: async (text, values) => {
        const rows = await run({ text }, values)
        await confirm(client, run)
        return rows
      },
    })
  })
}
