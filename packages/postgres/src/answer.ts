import type { Query, Statement } from './connection/database.ts'

/** The only row of a statement. */
export function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('the statement returned no row')
  return row
}

/** Calls a function that decides. @param statement  returns its decision as `result` */
export const answer = async <Result>(query: Query, statement: Statement, values: readonly unknown[]): Promise<Result> =>
  onlyRow(await query<{ readonly result: Result }>(statement, values)).result
