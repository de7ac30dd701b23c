import type { Report } from '../payout-state.fixture.ts'

/** The state of `fail-over.qnt`, as its traces have it. */
export type State = {
  readonly log: readonly ModelCommit[]
  readonly replicated: number
  readonly visible: readonly number[]
  readonly timeline: number
  readonly stalled: boolean
  readonly steps: ReadonlyMap<string, Step>
  readonly reported: readonly Report[]
  readonly orders: readonly number[]
  readonly cancels: readonly number[]
  readonly paid: readonly number[]
  readonly cancelled: readonly number[]
}
export type ModelCommit =
  | 'Confirmed'
  | { readonly tag: 'Applied' | 'Claimed'; readonly value: number }
  | { readonly tag: 'Settled'; readonly value: Report }
type Seen = Report & { readonly owns: boolean; readonly asked: boolean }
export type Step =
  | 'Idle'
  | { readonly tag: 'Waiting'; readonly value: { readonly place: number } }
  | { readonly tag: 'Lost' | 'Durable'; readonly value: Seen }
  | { readonly tag: 'Read'; readonly value: { readonly timeline: number } }
  | { readonly tag: 'Requested'; readonly value: number }

/** The name of the worker; the others are API processes. */
export const worker = 'worker'
