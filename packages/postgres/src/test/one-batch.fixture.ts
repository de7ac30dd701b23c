import type { PayoutCommit, PayoutCommitResult, Redated } from '@quipu/core/adapter'
import type { BatchProtocol } from '../batch/batch-writer.ts'
import { sendBatch, withoutReadBack } from './send-batch.fixture.ts'
import type { Sql } from './stores.fixture.ts'
import { acceptPayoutsProtocol } from '../payout/accept-payouts.ts'
import { insertEndedPayoutsProtocol } from '../payout/insert-ended-payouts.ts'
import { settlePayoutsProtocol } from '../payout/settle-payouts.ts'

type Kind = PayoutCommit['kind']
type Protocols = {
  readonly [Each in Kind]: Pick<
    BatchProtocol<Extract<PayoutCommit, { kind: Each }>, never, PayoutCommitResult | Redated>,
    'statement' | 'encode' | 'resultOf'
  >
}

const protocols = {
  accept: acceptPayoutsProtocol(withoutReadBack, { written: () => undefined }),
  insert_ended: insertEndedPayoutsProtocol(withoutReadBack),
  settle: settlePayoutsProtocol(withoutReadBack),
} as Protocols

/** Sends writes of one kind as one batch, without the queue. */
export async function inOneBatch<Each extends Kind>(
  sql: Sql,
  writes: readonly Extract<PayoutCommit, { kind: Each }>[],
): Promise<(PayoutCommitResult | Redated | undefined)[]> {
  const [first] = writes
  if (first === undefined) return []
  return sendBatch(sql, protocols[first.kind], writes)
}
