import type { PayoutCommit, PayoutCommitResult, Redated } from '@quipu/core/adapter'
import type pg from 'pg'
import { activeTraceparent } from '@quipu/tracing'
import { openBatchConnections } from '../batch/batch-connection.ts'
import { batchWriter } from '../batch/batch-writer.ts'
import type { Database } from '../connection/database.ts'
import { tracedCommit } from '../event/traced-event.ts'
import { type Application, applyPayoutsProtocol } from './apply-payouts.ts'
import { insertEndedPayoutsProtocol } from './insert-ended-payouts.ts'
import { settlePayoutsProtocol } from './settle-payouts.ts'

export type PayoutCommits = {
  commit(write: PayoutCommit): Promise<PayoutCommitResult | Redated>
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
  payingCount?: number,
): PayoutCommits {
  const paying = openBatchConnections(database, config, payingCount)
  const refusing = openBatchConnections(database, config)
  const applies = batchWriter(database, paying, applyPayoutsProtocol(database))
  const settles = batchWriter(database, paying, settlePayoutsProtocol(database))
  const insertions = batchWriter(database, refusing, insertEndedPayoutsProtocol(database))
  return {
    commit: async (write) => {
      switch (write.kind) {
        case 'apply':
          return applies.write(tracedApplication(write, activeTraceparent()))
        case 'insert_ended':
          return insertions.write(tracedCommit(write))
        case 'settle':
          return settles.write(tracedCommit(write))
      }
    },
    close: async () => {
      await Promise.all([applies, settles, insertions].map((writer) => writer.idle()))
      await Promise.all([paying.close(), refusing.close()])
    },
  }
}

/** The worker that resumes the payout continues the trace of its request. */
const tracedApplication = (write: Application, traceparent: string | undefined): Application =>
  traceparent === undefined ? write : { ...write, traceparent }
