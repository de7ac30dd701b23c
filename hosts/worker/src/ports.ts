import type { Broadcaster, ChainReader, Clock } from '@quipu/core'
import type { BalanceReader, SweepChain } from '@quipu/core/operator'
import type { Logger } from '@quipu/runtime'
import type { DeadLetters, SqsWakeQueue } from '@quipu/sqs'
import type { WorkerSettings } from './settings/settings.ts'

/** The settings, log and clock of every loop of this process. */
export type WorkerContext<Settings extends WorkerSettings = WorkerSettings> = {
  readonly settings: Settings
  readonly log: Logger
  /** The system clock, or the database's while the two are apart. */
  readonly now: Clock
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
