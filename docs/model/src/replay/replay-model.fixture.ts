import type { Harness } from '@quipu/contracts'
import { type ModelName, parseModel, readModel, traces, type TraceStep } from '../quint.fixture.ts'
import { deliveryReplay } from './delivery-replay.fixture.ts'
import { depositReplay } from './deposit-replay.fixture.ts'
import type { OpenReplay, Wrap } from './open-replay.fixture.ts'
import { OtherOrder } from './other-order.fixture.ts'
import { payoutReplay } from './payout-replay.fixture.ts'

export type ReplayedModel = Exclude<ModelName, 'failOver'>

const replays: Readonly<Record<ReplayedModel, OpenReplay>> = {
  payout: payoutReplay,
  deposit: depositReplay,
  delivery: deliveryReplay,
}
export const replayedModels = Object.keys(replays) as readonly ReplayedModel[]

export type Draw = { readonly count: number; readonly steps: number; readonly seed: number }

/**
 * Replays random traces of a model by the real use cases.
 *
 * @returns how often each action was taken
 * @throws Error with the steps of the trace up to the one that the code took otherwise
 */
export async function replayModel(
  name: ReplayedModel,
  open: () => Promise<Harness>,
  draw: Draw,
  wrap?: Wrap,
): Promise<ReadonlyMap<string, number>> {
  const taken = new Map<string, number>()
  for (const trace of traces(parseModel(await readModel(name), name), draw)) {
    const world = await open()
    try {
      await replayTrace(trace, await replays[name](world, wrap), taken)
    } finally {
      await world.close()
    }
  }
  return taken
}

/** @throws Error as `replayModel` does */
export async function replayTrace(
  trace: readonly TraceStep[],
  take: (step: TraceStep) => Promise<void>,
  taken: Map<string, number>,
): Promise<void> {
  for (const [index, step] of trace.entries()) {
    try {
      await take(step)
    } catch (error) {
      if (error instanceof OtherOrder) return
      const steps = trace
        .slice(0, index + 1)
        .map(({ action, picks }) => `${action} ${JSON.stringify(picks)}`)
      const cause = error instanceof Error ? error.message : String(error)
      throw new Error(`the code departs from the model:\n${steps.join('\n')}\n${cause}`, {
        cause: error,
      })
    }
    taken.set(step.action, (taken.get(step.action) ?? 0) + 1)
  }
}
