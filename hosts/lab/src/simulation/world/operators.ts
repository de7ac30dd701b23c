import { sha256 } from '@quipu/core/adapter'
import {
  databaseOwner,
  type NewOperatorToken,
  newOperatorToken,
  type Operator,
  type OperatorRole,
} from '@quipu/core/operator'

const start = new Date('2026-03-04T05:06:07.089Z')
/** When every simulation starts. */
export const simulationStart: Date = start

const operatorOf = (person: string, role: OperatorRole): Operator => ({
  person,
  role,
  tokenHash: sha256(`the token of ${person}`),
})

export const ana: Operator = operatorOf('ana', 'admin')
export const ben: Operator = operatorOf('ben', 'admin')

/** The tokens of both, which are valid throughout. */
export const operatorTokens = (): readonly NewOperatorToken[] =>
  [ana, ben].map(({ person, role, tokenHash: hash }) => {
    const expiresAt = new Date(start.getTime() + 86_400_000)
    const id = `opt_0${sha256(person).slice(0, 25).toUpperCase()}`
    const made = { id, createdAt: start, createdBy: databaseOwner, activatedAt: start }
    return { token: newOperatorToken({ person, label: 'simulated', role, hash, expiresAt }, made), hash }
  })
