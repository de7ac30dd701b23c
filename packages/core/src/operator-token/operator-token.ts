import type { OperatorRole } from '../access/operator.ts'

/** The longest life of an operator token, in days. @source assumed */
export const operatorTokenDaysMax = 366

/** An operator token that was made elsewhere: Quipu has its hash, never the token. */
export type OperatorTokenRequest = {
  /** The person's stable name: `personPattern`. */
  readonly person: string
  /** Where the person keeps it: 1 to 100 characters. */
  readonly label: string
  readonly role: OperatorRole
  /** Lowercase hex SHA-256 of the token. */
  readonly hash: string
  /** At most `operatorTokenDaysMax` after it is issued. */
  readonly expiresAt: Date
}

/** The names that persons can have. Lower case, so that no two spellings are two people. @source assumed */
export const personPattern: RegExp = /^[a-z0-9][a-z0-9._@-]{0,63}$/

/** The `createdBy` of tokens that the database's owner issued: no name of a person. */
export const databaseOwner = 'database owner'

/** The record of an operator token, without its hash. */
export type OperatorToken = Omit<OperatorTokenRequest, 'hash'> & {
  /** `opt_` and a ULID. */
  readonly id: string
  /** The first 16 digits of the hash, to be compared with the person. */
  readonly fingerprint: string
  readonly createdAt: Date
  /** The person who issued or proposed it, or `databaseOwner`. */
  readonly createdBy: string
  /** Null while its proposal is not approved. */
  readonly activatedAt: Date | null
  readonly revocation: { readonly at: Date; readonly by: string } | null
}

/** The record of a new token. */
export const newOperatorToken = (
  { hash, ...request }: OperatorTokenRequest,
  made: Pick<OperatorToken, 'id' | 'createdAt' | 'createdBy' | 'activatedAt'>,
): OperatorToken => ({ ...request, fingerprint: hash.slice(0, 16), ...made, revocation: null })

/** Whether the token authenticates at this instant. */
export const isTokenActive = ({ activatedAt, revocation, expiresAt }: OperatorToken, now: Date): boolean =>
  activatedAt !== null && revocation === null && now < expiresAt

/** Whether a token of this role can only be issued by two people: it can write. @source assumed */
export const needsTwoToIssue = (role: OperatorRole): role is 'operator' | 'admin' =>
  role === 'operator' || role === 'admin'
