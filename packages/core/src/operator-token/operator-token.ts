import type { OperatorRole } from '../access/operator.ts'

/** The longest life of an operator token, in days. */
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

/** The names that persons can have. Lower case, so that no two spellings are two people. */
export const personPattern: RegExp = /^[a-z0-9][a-z0-9._@-]{0,63}$/

/** The `createdBy` of tokens that the database's owner issued: no name of a person. */
export const databaseOwner = 'database owner'

/** The `createdBy` of the token of one sign-in by an OpenID provider: nobody is shown it. */
export const identityProvider = 'identity provider'

/** The record of an operator token, without its hash. */
export type OperatorToken = Omit<OperatorTokenRequest, 'hash'> & {
  /** `opt_` and a ULID. */
  readonly id: string
  /** The first 16 digits of the hash, to be compared with the person. */
  readonly fingerprint: string
  readonly createdAt: Date
  /** The person who issued or proposed it, `databaseOwner` or `identityProvider`. */
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

/** A token that ends within this many days needs a successor, for which two people may be needed. */
export const tokenEndsSoonDays = 14

/**
 * The active tokens that end within `tokenEndsSoonDays`, the first to end first. One is replaced once the same person
 * has one of the same role that ends later.
 */
export function tokensEndingSoon(tokens: readonly OperatorToken[], now: Date): readonly OperatorToken[] {
  const soon = new Date(now.getTime() + tokenEndsSoonDays * 86_400_000)
  const active = tokens.filter((token) => isTokenActive(token, now) && token.createdBy !== identityProvider)
  return active
    .filter(
      ({ person, role, expiresAt }) =>
        expiresAt < soon &&
        !active.some((other) => other.person === person && other.role === role && other.expiresAt >= soon),
    )
    .toSorted((a, b) => a.expiresAt.getTime() - b.expiresAt.getTime())
}

/** Whether a token of this role can only be issued by two people: it can write. */
export const needsTwoToIssue = (role: OperatorRole): role is 'operator' | 'admin' =>
  role === 'operator' || role === 'admin'
