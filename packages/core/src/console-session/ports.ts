import type { Credential } from '../access/operator.ts'
import type { ConsoleSession } from './console-session.ts'

/** A session to open. */
export type NewConsoleSession = {
  /** Lowercase hex SHA-256 of the secret that the browser keeps. */
  readonly hash: string
  /** The presented operator token, and where it came from. */
  readonly by: Pick<Credential, 'tokenHash' | 'address'>
  readonly at: Date
  /** At most `consoleSessionHoursMax` after `at`. The store shortens it to the end of the token. */
  readonly expiresAt: Date
}

/**
 * Stores the sessions of the console by the hash of their secret, which no method returns. Every method throws
 * `Unavailable` when the database cannot be read or written.
 */
export type ConsoleSessionStore = {
  /**
   * Opens a session for the active token with this hash, with the audit entry `signedIn`. Removes the sessions that
   * have expired at that instant.
   *
   * @returns undefined when no active token has the hash
   */
  open(session: NewConsoleSession): Promise<ConsoleSession | undefined>
  /** The session with this hash, while neither it nor its token has ended. A revocation counts at once. */
  authenticate(hash: string, at: Date): Promise<ConsoleSession | undefined>
  /**
   * Ends a session for good, with the audit entry `signedOut`.
   *
   * @returns whether it had not ended before
   */
  end(hash: string, from: Pick<Credential, 'address'>, at: Date): Promise<boolean>
}
