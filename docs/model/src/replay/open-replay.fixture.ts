import type { Harness } from '@quipu/contracts'
import type { Stores } from '@quipu/core'
import type { TraceStep } from '../quint.fixture.ts'

/** Opens a replay; the result takes one step, and compares the real state with the model's. */
export type OpenReplay = (
  world: Harness,
  wrap?: Wrap,
) => Promise<(step: TraceStep) => Promise<void>>

/** Changes the stores of the use cases under replay: a test plants a fault with it. */
export type Wrap = (stores: Stores) => Stores
