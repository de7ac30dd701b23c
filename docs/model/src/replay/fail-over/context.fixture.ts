import type { Quote } from '@quipu/core'
import type { GatedProcess } from '../gated-process.fixture.ts'
import type { Report } from '../payout-state.fixture.ts'
import type { FailOverDatabase } from './database.fixture.ts'

/** What a replay has of the code. */
export type Context = {
  readonly database: FailOverDatabase
  readonly tenantId: string
  readonly quote: Quote
  /** The ids of the applied payouts, by the model's references. */
  readonly idOf: Map<number, string>
  readonly reported: Report[]
  readonly orders: Set<number>
  readonly cancels: Set<number>
  readonly processes: ReadonlyMap<string, Process>
  /** The processes whose call has left them for the network. */
  readonly sent: Set<string>
}

export type Process = {
  readonly gates: GatedProcess
  /** Starts a request, or the work at a claim. */
  readonly begin: () => Promise<void>
}
