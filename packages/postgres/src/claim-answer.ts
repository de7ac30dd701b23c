import type { Query, Statement } from './connection/database.ts'

/** A claim as the functions return it that give several of one table. */
export type ClaimColumns = { readonly fencing_token: number; readonly claim_count: number }

/**
 * Calls a function that gives a claim back, extends it or ends what it is on, and returns whether it did.
 *
 * False when a newer claim exists, or what it is on has ended.
 *
 * @param statement  returns the boolean `done`
 */
export async function isDone(query: Query, statement: Statement, values: readonly unknown[]): Promise<boolean> {
  const [row] = await query<{ readonly done: boolean }>(statement, values)
  return row?.done === true
}
