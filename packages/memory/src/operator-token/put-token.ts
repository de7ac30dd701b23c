import type { NewOperatorToken } from '@quipu/core/operator'
import { type Database, positionOf } from '../table/database.ts'

/** Adds tokens. */
export function putTokens(database: Database, tokens: readonly NewOperatorToken[]): Database {
  for (const issued of tokens) {
    database.operatorTokens.set(issued.token.id, issued)
    database.operatorTokenOrder.add(positionOf(issued.token))
  }
  return database
}
