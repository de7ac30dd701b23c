import type { Timer } from '@quipu/core'
import { type PollingLoop, pollingLoop } from '@quipu/runtime'
import { inWorld } from '../key/current-key.ts'
import { type OpenWork, soonest } from './open-work.ts'
import type { World } from '../key/key-state.ts'
import type { Worlds } from '../key/key-states.ts'

const pauseMs = 100
const afterFaultMs = 1_000

/** Goes round the worlds that have something to do, for as long as it runs. */
export function workLoop(
  worlds: Worlds,
  work: OpenWork,
  { timer, report }: { readonly timer: Timer; readonly report: (error: unknown) => void },
): PollingLoop {
  let isStopping = false

  /** @returns in how many ms there is more to do */
  async function workOn(world: World): Promise<number | undefined> {
    try {
      return soonest([await work.settle(world), await work.deliver(world)])
    } catch (error) {
      report(error)
      return afterFaultMs
    }
  }

  async function round(): Promise<number> {
    for (const world of worlds.takeDue()) {
      const nextMs = await inWorld(world, () => workOn(world))
      if (nextMs !== undefined) worlds.rest(world, nextMs)
      if (isStopping) break
    }
    return pauseMs
  }

  const loop = pollingLoop(round, timer)
  return {
    stop() {
      isStopping = true
      return loop.stop()
    },
  }
}
