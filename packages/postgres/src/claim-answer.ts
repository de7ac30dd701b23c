import type { Query, Statement } from './connection/database.ts'

/** The columns of a claim, in the rows of a function that claims several of one table. */
export type ClaimColumns = { readonly fencing_token: number; readonly claim_count: number }

/**
 * Calls a function that extends a claim, gives it back, or ends the claimed work.
 *
 *
 * @param statement  returns the boolean `done`
 * @returns false when a newer claim exists, or the work had ended
 */
export async function isDone(query: Query, statement: Statement, values: readonly unknown[]): Promise<boolean> {
  const [row] = await query<{ readonly done: boolean }>(statement, values)
  return row?.done === true
}
