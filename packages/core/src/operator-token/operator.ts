/** The roles of operators, each listed once. */
export const operatorRoles = ['viewer', 'operator', 'admin', 'auditor'] as const
/**
 * What an operator may do. A `viewer` reads; an `operator` also writes; an `auditor` reads everything, the audit
 * log and the operators' tokens included; an `admin` may do everything.
 *
 * @source assumed
 */
export type OperatorRole = (typeof operatorRoles)[number]

/** Each role with the roles whose rights it has. @source assumed */
const included: Readonly<Record<OperatorRole, readonly OperatorRole[]>> = {
  viewer: ['viewer'],
  operator: ['viewer', 'operator'],
  auditor: ['viewer', 'auditor'],
  admin: ['viewer', 'operator', 'auditor', 'admin'],
}

/** Whether `role` has the rights of `needed`. */
export const hasRole = (role: OperatorRole, needed: OperatorRole): boolean =>
  included[role].includes(needed)

/** The person who acts, as a presented operator token proves. */
export type Operator = {
  /** The person's stable name, and the actor in the audit log. A person may have several tokens. */
  readonly person: string
  readonly role: OperatorRole
  /** Lowercase hex SHA-256 of the presented token. Stores look the person up by it, and log no other actor. */
  readonly tokenHash: string
}
