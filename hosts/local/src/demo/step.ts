import type { NetworkName } from '../start/qr-network.ts'
import type { DemoClient, Order, Payout } from './demo-client.ts'

/** One step of the demo: it calls the API and compares the answers with the documented ones. */
export type Step = {
  readonly title: string
  /** The only network that shows it; left out: each. */
  readonly network?: NetworkName
  run(context: StepContext): Promise<StepResult>
}

/** The answers of a step, as text that can be compared. */
export type StepResult = {
  readonly expected: string
  readonly actual: string
  /** Expected debit in micro-USDT; negative for a credit. */
  readonly debited: bigint
}

/** Shared by all steps of one run. */
export type StepContext = {
  readonly client: DemoClient
  /** Prints a line that explains the next call. */
  readonly note: (text: string) => void
  readonly pause: (ms: number) => Promise<void>
  /** A `transaction_id` that is unique to this run of the demo. */
  readonly transactionId: (name: string) => string
  /** The first payment; later steps repeat and reuse its order. */
  first?: { readonly order: Order; readonly payout: Payout }
}
