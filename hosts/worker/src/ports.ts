import type { Broadcaster, ChainReader, Clock } from '@quipu/core'
import type { BalanceReader, SweepChain } from '@quipu/core/operator'
import type { Logger, Metrics } from '@quipu/runtime'
import type { DeadLetters, SqsWakeQueue } from '@quipu/sqs'
import type { RecordWork } from './loop/work-log.ts'
import type { CountSlice } from './reconciliation/count-slices.ts'
import type { WorkerSettings } from './settings/settings.ts'

/** The settings, log and clock of every loop of this process. */
export type WorkerContext<Settings extends WorkerSettings = WorkerSettings> = {
  readonly settings: Settings
  readonly log: Logger
  /** The system clock, or the database's while the two are apart. */
  readonly now: Clock
  readonly metrics: Metrics
  readonly record: RecordWork
  readonly countSlice: CountSlice
}

/** The chain, as the configured nodes show it. */
export type Chain = {
  readonly reader: ChainReader
  readonly broadcaster: Broadcaster
  /** Reads balances at a rate of its own, apart from the scans. */
  readonly balances: BalanceReader
  readonly sweepChain: SweepChain
  /** Reads from a second provider, if one is configured. */
  readonly verifier: ChainReader | undefined
  /** Resolves once the node has shown the configured chain and token. */
  readonly checked: () => Promise<void>
  stop(): Promise<void>
}

/** The queue that wakes workers, and its dead letters if their queue is configured. */
export type WebhookQueue = {
  readonly wakeQueue: SqsWakeQueue
  readonly deadLetters: DeadLetters | undefined
  stop(): Promise<void>
}
