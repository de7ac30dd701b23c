import type { DepositCommit, DepositStore } from '@quipu/core/adapter'
import type pg from 'pg'
import { openBatchConnections } from '../batch/batch-connection.ts'
import { batchWriter } from '../batch/batch-writer.ts'
import type { Database } from '../connection/database.ts'
import { tracedCommit } from '../event/traced-event.ts'
import { resolveReviewsProtocol } from './resolve-reviews.ts'
import { settleDepositsProtocol } from './settle-deposits.ts'

export type DepositCommits = {
  commit(write: DepositCommit): ReturnType<DepositStore['commit']>
  close(): Promise<void>
}

/** Writes settlements and resolutions of deposits, each kind in batches of its own. */
export function depositCommits(database: Database, config: pg.ClientConfig): DepositCommits {
  const connections = openBatchConnections(database, config)
  const settlements = batchWriter(database, connections, settleDepositsProtocol(database))
  const resolutions = batchWriter(database, connections, resolveReviewsProtocol(database))
  return {
    commit: async (write) =>
      write.kind === 'settle' ? settlements.write(tracedCommit(write)) : resolutions.write(tracedCommit(write)),
    close: async () => {
      await Promise.all([settlements.idle(), resolutions.idle()])
      await connections.close()
    },
  }
}
