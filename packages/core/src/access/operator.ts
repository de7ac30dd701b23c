/** The roles of operators, each listed once. */
export const operatorRoles = ['viewer', 'operator', 'admin', 'auditor'] as const
/**
 * The rights of an operator. A `viewer` reads; an `operator` also writes; an `auditor` reads everything, the audit
 * log and the operators' tokens included; an `admin` may do everything.
 */
export type OperatorRole = (typeof operatorRoles)[number]

/** Each role with the roles whose rights it has. */
const included: Readonly<Record<OperatorRole, readonly OperatorRole[]>> = {
  viewer: ['viewer'],
  operator: ['viewer', 'operator'],
  auditor: ['viewer', 'auditor'],
  admin: ['viewer', 'operator', 'auditor', 'admin'],
}

/** Whether `role` has the rights of `needed`. */
export const hasRole = (role: OperatorRole, needed: OperatorRole): boolean => included[role].includes(needed)

/** A presented operator token, and where the request came from. */
export type Credential = {
  /** Lowercase hex SHA-256 of the presented token. Stores look the person up by it, and log no other actor. */
  readonly tokenHash: string
  /** The source address of the request, for the audit log. Left out: it has none. */
  readonly address?: string
  /** The fingerprint of the console's session that presented the token (`sessionFingerprint`). Left out: none did. */
  readonly session?: string
}

/** A presented operator token, and the instant of the change. */
export type Acting = Credential & { readonly at: Date }

/** The person who acts, as a presented operator token proves. */
export type Operator = Credential & {
  /** The person's stable name, and the actor in the audit log. A person may have several tokens. */
  readonly person: string
  readonly role: OperatorRole
  /** The id of the token, for log lines. Left out: unknown. */
  readonly tokenId?: string
}

/** The presented operator token does not work any more, or its role does not allow this. Nothing was written. */
export class Unauthorized extends Error {
  override readonly name = 'Unauthorized'
}

/**
 * Narrows the result of a store to one that an active token of the person was found for.
 *
 * @throws Unauthorized when the store found no token that may write
 */
export function authorized<T>(result: T): Exclude<T, 'unauthorized'> {
  if (result === 'unauthorized') throw new Unauthorized('the operator token may not do this')
  return result as Exclude<T, 'unauthorized'>
}
