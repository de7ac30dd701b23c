import type { AttemptRecord, RecordedAttempt } from '@quipu/core/adapter'
import { inChildSpan } from '@quipu/tracing'
import type pg from 'pg'
import { openBatchConnections } from '../batch/batch-connection.ts'
import { batchWriter } from '../batch/batch-writer.ts'
import type { Database } from '../connection/database.ts'
import { statementSpan } from '../connection/statement-span.ts'
import { gatherRuns } from './gather-runs.ts'
import { recordAttemptsProtocol } from './record-attempts.ts'
import { fitsDeliveredRun, recordRunsProtocol } from './record-runs.ts'

export type AttemptRecords = { record(record: AttemptRecord): Promise<RecordedAttempt>; close(): Promise<void> }

/** Writes attempts: those of a run that were delivered at once together, all others one by one. */
export function attemptRecords(database: Database, config: pg.ClientConfig, connectionCount?: number): AttemptRecords {
  const connections = openBatchConnections(database, config, { count: connectionCount })
  const attempts = batchWriter(database, connections, recordAttemptsProtocol(database))
  const parts = batchWriter(database, connections, recordRunsProtocol(database))
  const runs = gatherRuns(async (part) => {
    const isRecorded = await parts.write(part)
    return isRecorded ? part.map(() => recordedInRun) : Promise.all(part.map(attempts.write))
  })
  return {
    record: (record) => {
      const { run } = record.claim
      if (run === undefined) return attempts.write(record)
      if (fitsDeliveredRun(record)) return inChildSpan(gatheredSpan, () => runs.add(run, record))
      runs.skip(run)
      return attempts.write(record)
    },
    close: async () => {
      await runs.idle()
      await Promise.all([parts.idle(), attempts.idle()])
      await connections.close()
    },
  }
}

/** Deliveries of many traces share the call. */
const gatheredSpan = statementSpan('record_runs')

const recordedInRun: RecordedAttempt = { type: 'recorded', consecutiveFailures: 0, hasPaused: false }
