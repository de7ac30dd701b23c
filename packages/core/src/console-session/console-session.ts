import type { OperatorToken } from '../operator-token/operator-token.ts'
import type { AuditAuthor, AuditEntry } from '../audit/ports.ts'

/** The longest life of a console session, in hours. */
export const consoleSessionHoursMax = 12

/** A session of the console: it acts with the operator token that opened it, and ends with it. */
export type ConsoleSession = {
  readonly token: OperatorToken
  /** The hash of the token. Returned for a presented session only, whose holder has presented the token before. */
  readonly tokenHash: string
  /** At most `consoleSessionHoursMax` after it was opened, and not after the token. */
  readonly expiresAt: Date
}

/** Names a session in the audit log. @param hash of its secret @returns the first 16 digits of the hash */
export const sessionFingerprint = (hash: string): string => hash.slice(0, 16)

/** The audit entry that is written with a new session. */
export const signedIn = (
  { id, fingerprint }: Pick<OperatorToken, 'id' | 'fingerprint'>,
  author: AuditAuthor,
  expiresAt: Date,
): AuditEntry => ({
  ...author,
  action: 'console.sign_in',
  tenantId: null,
  subject: id,
  before: null,
  after: { fingerprint, expires_at: expiresAt.toISOString() },
})

/** The audit entry that is written with the end of a session. */
export const signedOut = ({ id }: Pick<OperatorToken, 'id'>, author: AuditAuthor): AuditEntry => ({
  ...author,
  action: 'console.sign_out',
  tenantId: null,
  subject: id,
  before: { ended_at: null },
  after: { ended_at: author.at.toISOString() },
})
