import type { FaucetSend } from '@quipu/core'

export type FaucetRow = {
  send: FaucetSend
  fencingToken: number
  claimCount: number
  /** When a worker may claim it, unless it is settled. */
  dueAt: Date
}
