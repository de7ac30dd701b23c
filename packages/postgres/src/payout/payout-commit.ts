import type { PayoutCommit, PayoutCommitResult, Redated } from '@quipu/core/adapter'
import type pg from 'pg'
import { activeTraceparent } from '@quipu/tracing'
import { batchWriter } from '../batch/batch-writer.ts'
import type { Database } from '../connection/database.ts'
import { tracedCommit } from '../event/traced-event.ts'
import { type Application, applyPayoutsProtocol } from './apply-payouts.ts'
import { insertEndedPayoutsProtocol } from './insert-ended-payouts.ts'
import { settlePayoutsProtocol } from './settle-payouts.ts'

/** The number of connections that write batches of each kind. */
export type BatchConnections = {
  /** New payouts. Default 1. */
  readonly applying?: number
  /** The ends of payouts. Default 1. */
  readonly settling?: number
  /** Attempts of webhook deliveries. Default 1. */
  readonly recording?: number
}

export type PayoutCommits = {
  commit(write: PayoutCommit): Promise<PayoutCommitResult | Redated>
  close(): Promise<void>
}

/**
 * Writes payouts, each kind in batches of its own, so that new payouts and settlements do not wait for each
 * other.
 */
export function payoutCommits(
  database: Database,
  config: pg.ClientConfig,
  connections: BatchConnections = {},
): PayoutCommits {
  const applies = batchWriter(
    database,
    config,
    connections.applying ?? 1,
    applyPayoutsProtocol(database),
  )
  const insertions = batchWriter(database, config, 1, insertEndedPayoutsProtocol(database))
  const settles = batchWriter(
    database,
    config,
    connections.settling ?? 1,
    settlePayoutsProtocol(database),
  )
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
      await Promise.all([applies.close(), insertions.close(), settles.close()])
    },
  }
}

/** The worker that resumes the payout continues the trace of its request. */
const tracedApplication = (write: Application, traceparent: string | undefined): Application =>
  traceparent === undefined ? write : { ...write, traceparent }
