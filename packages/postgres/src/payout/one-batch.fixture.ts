import type { PayoutCommit, PayoutCommitResult, Redated } from '@quipu/core/adapter'
import type { BatchProtocol } from '../batch/batch-writer.ts'
import type { Sql } from '../test/stores.fixture.ts'
import { applyPayoutsProtocol } from './apply-payouts.ts'
import { insertEndedPayoutsProtocol } from './insert-ended-payouts.ts'
import { settlePayoutsProtocol } from './settle-payouts.ts'

const database = {
  clockOverride: () => null,
  read: () => Promise.reject(new Error('inOneBatch does not read back')),
}

type Kind = PayoutCommit['kind']
type Protocols = {
  readonly [Each in Kind]: Pick<
    BatchProtocol<Extract<PayoutCommit, { kind: Each }>, never, PayoutCommitResult | Redated>,
    'statement' | 'encode' | 'resultOf'
  >
}

const protocols = {
  apply: applyPayoutsProtocol(database),
  insert_ended: insertEndedPayoutsProtocol(database),
  settle: settlePayoutsProtocol(database),
} as Protocols

/** Sends writes of one kind as one batch, without the queue. */
export async function inOneBatch<Each extends Kind>(
  sql: Sql,
  writes: readonly Extract<PayoutCommit, { kind: Each }>[],
): Promise<(PayoutCommitResult | Redated | undefined)[]> {
  const [first] = writes
  if (first === undefined) return []
  const { statement, encode, resultOf } = protocols[first.kind]
  const [row] = await sql(statement.text, [...encode(writes)])
  return writes.map((write, place) => resultOf(row as never, place, write))
}
