import { Unavailable } from '@quipu/core'
import pg from 'pg'

/**
 * What a failed query tells its caller: `Unavailable` when the database could not be reached or
 * would not work, the error itself when it is a bug.
 */
export const explained = (error: unknown): unknown =>
  isUnavailability(error) ? unavailable(error) : error

export const unavailable = (cause: unknown): Unavailable =>
  cause instanceof Unavailable ? cause : new Unavailable('store', reasonOf(cause), { cause })

const reasonOf = (cause: unknown): string =>
  cause instanceof Error ? cause.message : String(cause)

/**
 * Whether the server said that the statement was rolled back. Everything else leaves it in doubt:
 * a lost connection, silence, and the last words of a connection that the server ends, which can
 * come after the commit.
 */
export const isRolledBack = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && error.severity !== 'FATAL' && error.severity !== 'PANIC'

/** Lost to a competitor: the same statement may well succeed when it is sent again. */
export const isTransient = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && ['40001', '40P01', '23505'].includes(error.code ?? '')

const isUnavailability = (error: unknown): boolean =>
  error instanceof Unavailable ||
  (error instanceof pg.DatabaseError ? unavailableState.test(error.code ?? '') : isLost(error))

/**
 * SQLSTATEs that say nothing about the statement: connection (08), resources (53), operator's
 * hand and timeouts (57), the system (58), lost races (40), locks (55P03), a server that only
 * reads (25006), and one that refuses to let us in (28, 3D000).
 */
const unavailableState = /^(?:08|53|57|58|40|28)|^(?:55P03|25006|3D000)$/

/**
 * Whether the connection failed, by the marks of Node's errors and the words of the driver's. What is
 * `Unavailable` already was tried for long enough.
 */
export const isLost = (error: unknown): boolean =>
  error instanceof Error &&
  !(error instanceof Unavailable || error instanceof pg.DatabaseError) &&
  ('syscall' in error || driverWords.test(error.message))

const driverWords =
  /terminated|timeout expired|timeout exceeded|read timeout|not queryable|after calling end|SSL connection/i

/** What a connection is cut off with when the database does not answer in time. */
export const answerTimeout = (): Error => new Error('read timeout: the database does not answer')

export const isAnswerTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message === answerTimeout().message
