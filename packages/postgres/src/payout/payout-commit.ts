import type { PayoutCommit, PayoutCommitResult, Redated } from '@quipu/core/adapter'
import type pg from 'pg'
import { activeTraceparent } from '@quipu/tracing'
import { openBatchConnections } from '../batch/batch-connection.ts'
import { batchWriter } from '../batch/batch-writer.ts'
import type { Database } from '../connection/database.ts'
import type { WorthWaitingFor } from '../batch/natural-batches.ts'
import { answerTimeoutMs } from '../connection/connection.ts'
import { type LogMemory, observeIn } from '../restore/log-memory.ts'
import { tracedCommit } from '../event/traced-event.ts'
import { type Acceptance, acceptPayoutsProtocol } from './accept-payouts.ts'
import { insertEndedPayoutsProtocol } from './insert-ended-payouts.ts'
import { settlePayoutsProtocol } from './settle-payouts.ts'

export type PayoutCommits = {
  /** For statements about payouts that come one by one. */
  readonly worthWaitingFor: WorthWaitingFor
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
  const orders = ordersOut()
  const worthWaitingFor = (): number => orders.count() / 8
  const accepts = batchWriter(database, paying, acceptPayoutsProtocol(database, memory), worthWaitingFor)
  const settles = batchWriter(database, paying, settlePayoutsProtocol(database), worthWaitingFor)
  const insertions = batchWriter(database, refusing, insertEndedPayoutsProtocol(database))
  return {
    worthWaitingFor,
    commit: async (write) => {
      switch (write.kind) {
        case 'accept': {
          const result = await accepts.write(tracedAcceptance(write, activeTraceparent()))
          if (result === 'committed') orders.add(write.step.payout.id)
          return result
        }
        case 'insert_ended':
          return insertions.write(tracedCommit(write))
        case 'settle':
          orders.delete(write.step.payout.id)
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

/**
 * The payouts that this process has accepted and not settled: the more orders are at the network, the more answers are on
 * their way. Those of half a minute ago are left to workers.
 */
function ordersOut() {
  const acceptedAt = new Map<string, number>()
  return {
    add: (id: string): void => void acceptedAt.set(id, performance.now()),
    delete: (id: string): void => void acceptedAt.delete(id),
    count: (): number => {
      for (const [id, at] of acceptedAt) {
        if (performance.now() - at < 30_000) break
        acceptedAt.delete(id)
      }
      return acceptedAt.size
    },
  }
}

/** The worker that resumes the payout continues the trace of its request. */
const tracedAcceptance = (write: Acceptance, traceparent: string | undefined): Acceptance =>
  traceparent === undefined ? write : { ...write, traceparent }
