import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { describeBlockers, lockHolders } from './lock-holders.ts'

/** How long a migration may block the users of a table. */
export type MigrationBounds = {
  /**
   * How long a statement waits for a lock; later users of the table wait behind it. The default is longer than
   * `deadlock_timeout`, after which PostgreSQL cancels a blocking autovacuum.
   */
  readonly lockTimeoutMs?: number
  /**
   * How long a transaction may last and hold its locks. 0 for no limit. The default is less than the
   * statement timeout of the stores. Also ends the transaction of a process that died.
   */
  readonly transactionTimeoutMs?: number
  /** How often a transaction is tried that does not get its locks. */
  readonly attempts?: number
  /** The pause between two attempts, in which the users of the table proceed. */
  readonly pauseMs?: number
  /** Gets a line for the operator when an attempt has failed and another follows. */
  readonly notify?: (line: string) => void
  /** Waits between two attempts; tests step it. */
  readonly pause?: (ms: number) => Promise<unknown>
}

/**
 * Runs `work`, which are statements on the same client, in one transaction; retries all of it when it gets no lock.
 *
 * @param what names the work in errors, for example "migration 0003-quotes.sql"
 * @throws Error that names the blocking sessions or has the cause; the work is rolled back
 */
export type BoundedTransaction = (what: string, work: () => Promise<void>) => Promise<void>

/** Transactions on this client that block others for a limited time. */
export function boundedTransactions(client: pg.Client, bounds: MigrationBounds): BoundedTransaction {
  const { attempts = 10, pauseMs = 3_000, notify = ignore, pause = wait } = bounds
  const { lockTimeoutMs = 2_000, transactionTimeoutMs = 5_000 } = bounds

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    await client.query('begin')
    try {
      await client.query(timeouts, [String(lockTimeoutMs), String(transactionTimeoutMs)])
      await work()
      await client.query('commit')
    } catch (error) {
      await client.query('rollback').catch(ignore) // Fails on a lost session, which rolls back.
      throw error
    }
  }
  return async (what, work) => {
    for (let count = 1; ; count++) {
      const holdersBefore = await lockHolders(client)
      try {
        return await attempt(work)
      } catch (cause) {
        if (codeOf(cause) === transactionTimeout) throw tooLong(what, transactionTimeoutMs, cause)
        if (!lockFailures.has(codeOf(cause))) throw new Error(`${what} failed`, { cause })
        const blockers = (await lockHolders(client)).filter(({ transaction }) =>
          holdersBefore.some((before) => before.transaction === transaction),
        )
        const waited = `${what} got no lock within ${lockTimeoutMs} ms and was rolled back; ${describeBlockers(blockers)}`
        if (count >= attempts) throw noLock(waited, attempts, cause)
        notify(`${waited}. Attempt ${count + 1} of ${attempts} follows in ${pauseMs} ms.`)
        await pause(pauseMs)
      }
    }
  }
}

/** Sets the timeouts for one transaction. */
const timeouts = `
  select set_config('lock_timeout', $1, true), set_config('transaction_timeout', $2, true)`

const transactionTimeout = '25P04'
/** `lock_not_available` and `deadlock_detected`. */
const lockFailures = new Set<string | undefined>(['55P03', '40P01'])

const codeOf = (error: unknown): string | undefined => (error instanceof pg.DatabaseError ? error.code : undefined)

const noLock = (waited: string, attempts: number, cause: unknown): Error =>
  new Error(`${waited}. Gave up after ${attempts} attempts. Let these sessions end or end them, then migrate again`, {
    cause,
  })

const tooLong = (what: string, timeoutMs: number, cause: unknown): Error =>
  new Error(
    `${what} took longer than ${timeoutMs} ms, during which its locks stop payments, and was rolled ` +
      'back. Migrate again, or with a longer transaction timeout while nothing is paid',
    { cause },
  )

const ignore = (): void => undefined
