import type { AuditOrigin } from './ports.ts'
import type { Operator } from '../access/operator.ts'

/** An operator of tests. */
export const operatorNamed = (person: string): Operator => ({
  person,
  role: 'operator',
  tokenHash: `hash of ${person}`,
  address: '192.0.2.7',
})

/** The origin in audit entries of an operator of tests. */
export const originOf = (person: string): AuditOrigin => ({
  actor: person,
  tokenId: `opt_${person}`,
  address: '192.0.2.7',
  session: null,
})
