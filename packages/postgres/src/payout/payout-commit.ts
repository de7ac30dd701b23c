import type { PayoutCommit, PayoutCommitResult, Redated } from '@quipu/core/adapter'
import type pg from 'pg'
import { activeTraceparent } from '@quipu/tracing'
import { openBatchConnections } from '../batch/batch-connection.ts'
import { batchWriter } from '../batch/batch-writer.ts'
import type { Database } from '../connection/database.ts'
import { answerTimeoutMs } from '../connection/connection.ts'
import { type LogMemory, observeIn } from '../restore/log-memory.ts'
import { tracedCommit } from '../event/traced-event.ts'
import { type Acceptance, acceptPayoutsProtocol } from './accept-payouts.ts'
import { insertEndedPayoutsProtocol } from './insert-ended-payouts.ts'
import { settlePayoutsProtocol } from './settle-payouts.ts'

export type PayoutCommits = {
  commit(write: PayoutCommit): Promise<PayoutCommitResult | Redated>
  /** Fails when a connection that writes payouts has no session. */
  probe(): Promise<void>
  close(): Promise<void>
}

/**
 * Writes payouts, each kind in batches of its own. New payouts and settlements take turns on the same
 * connections: while one kind is written the other gathers, so that batches are larger and cost less.
 * Payouts that are refused wait for neither.
 */
export function payoutCommits(
  database: Database,
  config: pg.ClientConfig,
  memory: LogMemory,
  payingCount?: number,
): PayoutCommits {
  // A session that begins may be that of another disk: what this process has paid is compared before it pays again.
  const opened = observeIn(memory, answerTimeoutMs(config))
  const paying = openBatchConnections(database, config, { count: payingCount, opened })
  const refusing = openBatchConnections(database, config)
  const accepts = batchWriter(database, paying, acceptPayoutsProtocol(database, memory))
  const settles = batchWriter(database, paying, settlePayoutsProtocol(database))
  const insertions = batchWriter(database, refusing, insertEndedPayoutsProtocol(database))
  return {
    commit: async (write) => {
      switch (write.kind) {
        case 'accept':
          return accepts.write(tracedAcceptance(write, activeTraceparent()))
        case 'insert_ended':
          return insertions.write(tracedCommit(write))
        case 'settle':
          return settles.write(tracedCommit(write))
      }
    },
    probe: paying.probe,
    close: async () => {
      await Promise.all([accepts, settles, insertions].map((writer) => writer.idle()))
      await Promise.all([paying.close(), refusing.close()])
    },
  }
}

/** The worker that resumes the payout continues the trace of its request. */
const tracedAcceptance = (write: Acceptance, traceparent: string | undefined): Acceptance =>
  traceparent === undefined ? write : { ...write, traceparent }
