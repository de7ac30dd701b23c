import type { OperatorToken } from '../operator-token/operator-token.ts'
import type { AuditEntry } from '../tenant/ports.ts'

/** The longest life of a console session, in hours. @source assumed */
export const consoleSessionHoursMax = 12

/** A session of the console: it acts with the operator token that opened it, and ends with it. */
export type ConsoleSession = {
  readonly token: OperatorToken
  /** Of the token. Returned for a presented session only, whose holder has presented the token before. */
  readonly tokenHash: string
  /** At most `consoleSessionHoursMax` after it was opened, and not after the token. */
  readonly expiresAt: Date
}

/** The audit entry that is written with a new session. */
export const signedIn = (
  { id, person, fingerprint }: Pick<OperatorToken, 'id' | 'person' | 'fingerprint'>,
  at: Date,
  expiresAt: Date,
): AuditEntry => ({
  ...{ actor: person, action: 'console.sign_in', tenantId: null, subject: id, at, before: null },
  after: { fingerprint, expires_at: expiresAt.toISOString() },
})

/** The audit entry that is written with the end of a session. */
export const signedOut = (
  { id, person }: Pick<OperatorToken, 'id' | 'person'>,
  at: Date,
): AuditEntry => ({
  ...{ actor: person, action: 'console.sign_out', tenantId: null, subject: id, at },
  before: { ended_at: null },
  after: { ended_at: at.toISOString() },
})
