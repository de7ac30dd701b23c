import type { OperatorToken } from '../operator-token/operator-token.ts'
import type { AuditAuthor, AuditEntry } from '../audit/ports.ts'

/** The longest life of a console session, and by default of one that the person does not use. */
export const consoleSessionLife = { maxMinutes: 720, idleMinutes: 30 } as const

/** How a session began: with a token that the person typed, or at an OpenID provider. */
export type SessionOrigin = 'token' | 'oidc'

/** A session as lists show it. */
export type SessionRecord = {
  /** `sessionFingerprint` of its secret, which audit entries name. */
  readonly id: string
  readonly tokenId: string
  readonly person: string
  readonly role: OperatorToken['role']
  readonly origin: SessionOrigin
  /** A code of the person, or what the provider has asked for. */
  readonly hasSecondFactor: boolean
  /** The source address of the sign-in. */
  readonly address: string | null
  /** The browser's `User-Agent`: at most 200 characters. */
  readonly browser: string | null
  readonly createdAt: Date
  /** The person's last use, to the minute. */
  readonly seenAt: Date
  readonly expiresAt: Date
}

/** A session of the console: it acts with the operator token that opened it, and ends with it. */
export type ConsoleSession = {
  readonly token: OperatorToken
  /** The hash of the token. Returned for a presented session only, whose holder has presented the token before. */
  readonly tokenHash: string
  /** At most `consoleSessionLife` after it was opened, and not after the token. */
  readonly expiresAt: Date
  readonly origin: SessionOrigin
  readonly hasSecondFactor: boolean
  readonly seenAt: Date
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

/** The audit entry of a session that another one of the person, or an admin, has ended. */
export const endedSession = (
  { tokenId, id }: Pick<SessionRecord, 'tokenId' | 'id'>,
  author: AuditAuthor,
): AuditEntry => ({
  ...author,
  action: 'console.end_session',
  tenantId: null,
  subject: tokenId,
  before: { session: id, ended_at: null },
  after: { session: id, ended_at: author.at.toISOString() },
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
