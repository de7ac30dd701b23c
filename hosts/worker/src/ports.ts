import type {
  Broadcaster,
  ChainReader,
  Clock,
  Ids,
  QrNetwork,
  RaiseAlert,
  RandomBytes,
  Screening,
  Stores,
  WebhookSender,
} from '@quipu/core'
import type { BalanceReader, LedgerCheck, SweepChain } from '@quipu/core/operator'
import type { Logger, Metrics } from '@quipu/runtime'
import type { WakeQueue } from '@quipu/core/adapter'
import type { DeadLetters } from '@quipu/sqs'
import type { LoopTiming } from './loop/system-timing.ts'
import type { RecordWork } from './loop/work-log.ts'
import type { CountSlice } from './metrics/count-slices.ts'
import type { WorkerSettings } from './settings/settings.ts'

/** The settings, log, clocks and randomness of every loop of this process. */
export type WorkerContext<Settings extends WorkerSettings = WorkerSettings> = {
  readonly settings: Settings
  readonly log: Logger
  readonly raiseAlert: RaiseAlert
  /** The system clock, or the database's while the two are apart. */
  readonly now: Clock
  readonly timing: LoopTiming
  readonly ids: Ids
  readonly random: RandomBytes
  readonly metrics: Metrics
  readonly record: RecordWork
  readonly countSlice: CountSlice
}

/** The stores of every loop but those of maintenance. */
export type WorkerStores = Stores & { readonly ledgerCheck: LedgerCheck }

/** The ports of the loops. */
export type WorkerPorts = {
  readonly stores: WorkerStores
  readonly network: QrNetwork
  readonly chain: Chain
  readonly sender: WebhookSender
  readonly noticeSender: WebhookSender
  /** Left out: nobody is screened. */
  readonly screening?: Screening
  /** Left out: workers poll the database for deliveries. */
  readonly queue?: WebhookQueue
}

/** The chain, as the configured nodes show it. */
export type Chain = {
  readonly reader: ChainReader
  readonly broadcaster: Broadcaster
  /** Reads balances at a rate of its own, apart from the scans. */
  readonly balances: BalanceReader
  /** Reads the chain at the rate of `balances`. */
  readonly checkReader: Pick<ChainReader, 'isBlocked'>
  readonly sweepChain: SweepChain
  /** Reads from a second provider, if one is configured. */
  readonly verifier: ChainReader | undefined
  stop(): Promise<void>
}

/** The queue that wakes workers, and its dead letters if their queue is configured. */
export type WebhookQueue = {
  readonly wakeQueue: WakeQueue
  readonly deadLetters: DeadLetters | undefined
  /** Counts queued deliveries that nothing claimed in time. */
  countUnclaimed(count: number): void
  stop(): Promise<void>
}
