import type pg from 'pg'
import { commitGuard } from './commit-guard.ts'
import { answerTimeoutMs, clientConfig, withConnection } from './connection.ts'
import { runStatement } from './run-statement.ts'
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

const withinMs = answerTimeoutMs(clientConfig({ url: '' }))

/**
 * Runs `use` with a session of its own: what it has written is durable when the promise resolves. Where a standby is
 * required and the server requires none, `use` is not called.
 *
 * @throws Unavailable when the server does not confirm what was written, or required no standby
 */
export async function withOwner<T>(connection: OwnerConnection, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const { isStandbyRequired = false, ...config } =
    typeof connection === 'string' ? { connectionString: connection } : connection
  const guard = commitGuard(
    (statement) => withConnection(config, (client) => runStatement<never>(client, statement, [], withinMs)),
    { isStandbyRequired },
  )
  return withConnection({ ...config, pipeline: isStandbyRequired }, async (client) => {
    for (const [name, value] of Object.entries(durable)) await client.query(`set ${name} = ${value}`)
    await openSession(client, durable, withinMs, 'standby')
    await guard.run(client, { text: 'select' }, [], withinMs)
    const result = await use(client)
    await confirm(client, (statement) => guard.run(client, statement, [], withinMs))
    return result
  })
}
