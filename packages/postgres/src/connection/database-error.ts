import { Unavailable } from '@quipu/core'
import pg from 'pg'

/** The error that a caller of the stores gets: `Unavailable` for an outage, the error itself for a bug. */
export const storeError = (error: unknown): unknown => (isUnavailability(error) ? unavailable(error) : error)

export const unavailable = (cause: unknown): Unavailable =>
  cause instanceof Unavailable ? cause : new Unavailable('store', reasonOf(cause), { cause })

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/**
 * Whether the error proves that the statement was rolled back. After a lost connection, a time-out or a
 * FATAL error, with which the server ends a connection, the statement may be committed.
 */
export const isRolledBack = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && error.severity !== 'FATAL' && error.severity !== 'PANIC'

/** A serialization failure, deadlock or unique violation by a concurrent transaction: a retry may succeed. */
export const isTransient = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && ['40001', '40P01', '23505'].includes(error.code ?? '')

const isUnavailability = (error: unknown): boolean =>
  error instanceof Unavailable ||
  (error instanceof pg.DatabaseError ? unavailableState.test(error.code ?? '') : isLost(error))

/**
 * SQLSTATEs of outages: connection (08), resources (53), operator intervention and timeouts (57), system
 * (58), transaction rollback (40, 25P02), lock timeout (55P03), transactions that were idle or lasted too long (25P03,
 * 25P04), and read-only server (25006); and of what only an operator can mend: refused logins (28, 3D000), rights that
 * were taken (42501), a schema that is gone (3F000), and damaged files (XX001, XX002).
 */
const unavailableState = /^(?:08|53|57|58|40|28)|^(?:55P03|25006|25P0[234]|3D000|3F000|42501|XX00[12])$/

/**
 * Whether the connection failed, by `syscall` of Node's errors and by the messages of the driver's. False for
 * an `Unavailable`, which follows exhausted retries.
 */
export const isLost = (error: unknown): boolean =>
  error instanceof Error &&
  !(error instanceof Unavailable || error instanceof pg.DatabaseError) &&
  ('syscall' in error || driverMessages.test(error.message))

const driverMessages =
  /terminated|timeout expired|timeout exceeded|read timeout|not queryable|after calling end|SSL connection/i

/**
 * The error of a connection that gets no session. A proxy takes a connection and closes it while no server stands
 * behind it, of which the driver's own text says nothing.
 */
export const withoutSession = (error: unknown): unknown =>
  error instanceof Error && error.message === 'Connection terminated unexpectedly'
    ? new Error('terminated before a session began: the server is stopping, or a proxy has no primary behind it', {
        cause: error,
      })
    : error

/** The error with which a connection's socket is destroyed when no answer comes in time. */
export const answerTimeout = (reason = 'the database does not answer'): Error => new Error(`${timeoutPrefix}${reason}`)

const timeoutPrefix = 'read timeout: '

export const isAnswerTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith(timeoutPrefix)
