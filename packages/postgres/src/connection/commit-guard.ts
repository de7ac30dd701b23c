import { Unavailable } from '@quipu/core'
import type pg from 'pg'
import type { ConnectionOptions } from './connection.ts'
import { answerTimeout, isAnswerTimeout } from './database-error.ts'
import { runStatement, type Session, type Statement, type StatementText } from './run-statement.ts'
import { confirm } from './session.ts'
import { requiresStandby } from './standby-names.ts'

/** Decides which commits may be sent, and which of their answers count. */
export type CommitGuard = {
  /**
   * Refuses new commits while earlier ones wait for a synchronous standby that does not answer, or while the server
   * requires none. Queries the database only after a statement has shown one of both. @throws Unavailable
   */
  check(): Promise<void>
  /**
   * Runs a statement that may commit. Where a standby is required, its rows are returned only when the server required
   * one throughout the commit's wait.
   *
   * @throws Unavailable when it did not: the outcome is unknown
   */
  run<Row extends pg.QueryResultRow>(
    client: Session,
    statement: StatementText,
    values: readonly unknown[],
    withinMs: number,
  ): Promise<Row[]>
  /** Makes the next `check` query the database when the error is a time-out, or a server that requires no standby. */
  recordFailure(error: unknown): void
  /** Why a write that has no answer has none, as another session sees it: `no answer` when that shows nothing. */
  whySilent(): Promise<string>
  /** Whether a standby is required, and the server required none when it was last looked at. */
  isStandbyMissing(): boolean
}

/** The server would acknowledge commits that no standby has, although a standby is required. */
const noStandbyRequired = (names: string): Unavailable =>
  new Unavailable(
    'store',
    `no standby is required by the server: synchronous_standby_names is ${JSON.stringify(names)}`,
  )

const stalled = 'commits wait for a standby that does not answer; writes are refused until it does'

const state: Statement = {
  name: 'commit.state',
  // A commit waits for its standby for some milliseconds; a wait of 2 s is a stall.
  text: `
    select current_setting('synchronous_standby_names') as names,
      (select count(*)::int from pg_stat_activity
        where usename = current_user and wait_event = 'SyncRep'
          and state_change < clock_timestamp() - interval '2 s') as waiting`,
}

type State = { readonly names: string; readonly waiting: number }

/** A session reads the configuration between two statements only: what it sees holds for the statement in between. */
const look: StatementText = {
  name: 'commit.look',
  text: `select current_setting('synchronous_standby_names') as names, pg_conf_load_time()::text as loaded`,
}

type Look = { readonly names: string; readonly loaded: string }

/** The newest look of each session. While it loads no other configuration, that look is also one before its next statement. */
const newestLooks = new WeakMap<Session, Look>()

/**
 * Shorter than the time-outs of tenants, the read-back included: a commit that waits so long is looked at by another
 * session, and its caller gets no answer if it waits for a standby.
 */
const defaultStandbyWaitMs = 5_000

/** The server signals its sessions one by one when it loads its configuration: one that has waited may be the last. */
const longWaitMs = 500

type GuardOptions = Pick<ConnectionOptions, 'isStandbyRequired' | 'standbyWaitMs'>

/**
 * The session of a commit that timed out goes on waiting for its standby, and must not be ended. Each further
 * commit would wait behind it in another session, until every connection of the database is taken.
 *
 * Commits that wait return as successes when `synchronous_standby_names` is emptied, without a warning. So the session
 * looks at the setting right after the commit, in the same round trip, and compares when it was loaded with its look before.
 *
 * @param read runs a statement that only reads, in a session in which nothing commits
 */
export function commitGuard(
  read: (statement: Statement) => Promise<State[]>,
  { isStandbyRequired = false, standbyWaitMs = defaultStandbyWaitMs }: GuardOptions = {},
): CommitGuard {
  let isSuspected = false
  let isMissing = false
  const noStandby = (names: string): Unavailable | undefined => {
    isMissing = isStandbyRequired && !requiresStandby(names)
    return isMissing ? noStandbyRequired(names) : undefined
  }
  const requireNames = ({ names }: Look): void => {
    const missing = noStandby(names)
    if (missing) throw missing
  }
  /** Why no commit may be sent now. */
  const hindrance = async (): Promise<Unavailable | undefined> => {
    const [{ names, waiting } = { names: '', waiting: 0 }] = await read(state)
    const found = noStandby(names) ?? (waiting > 0 ? new Unavailable('store', stalled) : undefined)
    isSuspected = found !== undefined
    return found
  }
  const check = async (): Promise<void> => {
    const found = isSuspected ? await hindrance() : undefined
    if (found) throw found
  }
  const cutOffWaiting = (client: Session): void => {
    isSuspected = true
    hindrance().then(
      (cause) => cause && client.connection.stream.destroy(answerTimeout(cause.message)),
      () => undefined, // The statement has its own time-out.
    )
  }
  const bounded: CommitGuard['run'] = async (client, statement, values, withinMs) => {
    const timer = setInterval(cutOffWaiting, standbyWaitMs, client)
    const run = isStandbyRequired ? watched : runStatement
    return run<never>(client, statement, values, withinMs).finally(() => {
      clearInterval(timer)
    })
  }
  const watched: CommitGuard['run'] = async (client, statement, values, withinMs) => {
    const watch = <Row extends pg.QueryResultRow>(text: StatementText, parameters: readonly unknown[]) =>
      betweenLooks<Row>(client, text, parameters, withinMs)
    const { rows, after, isDoubtful } = await watch<never>(statement, values)
    requireNames(after)
    if (!isDoubtful) return rows
    // The log is one sequence: a later commit for which a standby was required throughout proves this one.
    await confirm(client, async (confirmation) => {
      const confirmed = await watch<never>(confirmation, [])
      requireNames(confirmed.after)
      if (confirmed.isReloaded) throw new Unavailable('store', 'the configuration changes while commits wait')
      return confirmed.rows
    })
    return rows
  }
  return {
    check,
    run: bounded,
    recordFailure: (error) => {
      if (isAnswerTimeout(error) || isMissing) isSuspected = true
    },
    whySilent: () => {
      isSuspected = true
      return check().then(() => 'no answer', String)
    },
    isStandbyMissing: () => isMissing,
  }
}

/** Sends a statement and a look after it in one round trip, with one before it in a new session. The connection pipelines. */
async function betweenLooks<Row extends pg.QueryResultRow>(
  client: Session,
  statement: StatementText,
  values: readonly unknown[],
  withinMs: number,
) {
  const { stream } = client.connection
  const startedAt = performance.now()
  const newest = newestLooks.get(client)
  stream.cork()
  const sent = [
    newest ? Promise.resolve([newest]) : runStatement<Look>(client, look, [], withinMs),
    runStatement<Row>(client, statement, values, withinMs),
    runStatement<Look>(client, look, [], withinMs),
  ] as const
  stream.uncork()
  const [first, answer, last] = await Promise.allSettled(sent)
  if (answer.status === 'rejected') throw answer.reason
  if (first.status === 'rejected') throw first.reason
  if (last.status === 'rejected') throw last.reason
  const [[before], [after]] = [first.value, last.value]
  if (!before || !after) throw new Error('a look at the configuration returned no row')
  newestLooks.set(client, after)
  const isReloaded = before.loaded !== after.loaded
  return {
    rows: answer.value,
    after,
    isReloaded,
    isDoubtful: isReloaded || performance.now() - startedAt >= longWaitMs,
  }
}
