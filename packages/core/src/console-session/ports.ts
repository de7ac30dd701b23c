import type { Credential } from '../access/operator.ts'
import type { OperatorToken } from '../operator-token/operator-token.ts'
import type { Page, PageQuery } from '../page.ts'
import type { ConsoleSession, SessionRecord } from './console-session.ts'
import type { UsedCode } from './second-factor.ts'

/** A session to open. */
export type NewConsoleSession = {
  /** Lowercase hex SHA-256 of the secret that the browser keeps. */
  readonly hash: string
  /** The presented operator token, and where it came from. */
  readonly by: Pick<Credential, 'tokenHash' | 'address'>
  readonly browser: string | null
  readonly at: Date
  /** At most `consoleSessionLife` after `at`. The store shortens it to the end of the token. */
  readonly expiresAt: Date
  /** The code that the person has shown, over `hash`. */
  readonly code?: UsedCode
}

/** A session of a person whom an OpenID provider has named. */
export type ProvenSignIn = Pick<NewConsoleSession, 'hash' | 'browser' | 'at' | 'expiresAt'> &
  Pick<OperatorToken, 'person' | 'role'> & {
    /** The id of the token that is made for it, and the hash of a secret that nobody is shown. */
    readonly tokenId: string
    readonly tokenHash: string
    readonly address: string | null
    /** `signInMac` of it. */
    readonly mac: string
  }

/** Which sessions to list: those that have not ended or expired at `now`. */
export type SessionQuery = PageQuery & {
  /** Only those of this person. */
  readonly person?: string
  readonly now: Date
  /** Without the person's use, a session ends after this time. */
  readonly idleMs: number
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
   * @returns `unauthorized` when no active token has the hash; `needs_second_factor` when the person has one, and the
   * code is missing, used or not signed
   */
  open(session: NewConsoleSession): Promise<ConsoleSession | 'unauthorized' | 'needs_second_factor'>
  /**
   * Opens a session with a token of its own (`createdBy` is `identityProvider`), with the audit entry `signedIn`.
   *
   * @returns undefined when no key of the store made the MAC, or the end is past
   */
  signIn(proven: ProvenSignIn): Promise<ConsoleSession | undefined>
  /**
   * The session with this hash, while neither it nor its token has ended, and the person has used it within `idleMs`.
   * A revocation counts at once.
   */
  authenticate(hash: string, at: Date, idleMs: number): Promise<ConsoleSession | undefined>
  /** Records that the person has used the session. */
  touch(hash: string, at: Date): Promise<void>
  /** Newest first. */
  list(query: SessionQuery): Promise<Page<SessionRecord>>
  /**
   * Ends a session for good, with the audit entry `signedOut`.
   *
   * @returns whether it had not ended before
   */
  end(hash: string, from: Pick<Credential, 'address'>, at: Date): Promise<boolean>
  /** Ends a session of the presented token's person, or any for an admin, with the audit entry `endedSession`. */
  endListed(id: string, by: Credential, at: Date): Promise<'committed' | 'stale' | 'unauthorized'>
}

/** Stores the second factors of people. Every method throws `Unavailable` when the database cannot be read or written. */
export type SecondFactorStore = {
  /** When the person's second factor took effect; undefined without one. */
  confirmedAt(person: string): Promise<Date | undefined>
  /** Keeps the encrypted secret of the presented token's person, until `confirm` without effect. `stale`: one is in effect. */
  enrol(by: Credential, secret: string, at: Date): Promise<'committed' | 'stale' | 'unauthorized'>
  /**
   * Counts an attempt before its code is compared, so that concurrent guesses count, too.
   *
   * @returns the encrypted secret; `locked` after `codeAttemptsMax`, for `codeLockMinutes`; `none`: nothing is enrolled
   */
  claim(by: Credential, at: Date): Promise<{ readonly secret: string } | 'locked' | 'none' | 'unauthorized'>
  /**
   * Puts it into effect by a code over the token's hash, with an audit entry; the session of the request has then seen
   * it. `stale`: the code is used or not signed, or it is in effect.
   */
  confirm(by: Credential, code: UsedCode, at: Date): Promise<'committed' | 'stale' | 'unauthorized'>
  /** Removes that of another person, for an admin, with an audit entry; ends the person's sessions. `stale`: none. */
  remove(person: string, by: Credential, at: Date): Promise<'committed' | 'stale' | 'unauthorized'>
  /** Each encrypted secret, also those that are not in effect. */
  secrets(): Promise<readonly { readonly person: string; readonly secret: string }[]>
  /** Replaces a secret by the same one, encrypted by another key; false when it is no longer the given one. */
  renew(person: string, secret: string, renewed: string): Promise<boolean>
}
