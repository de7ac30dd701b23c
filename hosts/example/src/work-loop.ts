import type { Timer } from '@quipu/core'
import { inWorld } from './current-world.ts'
import { type OpenWork, soonest } from './open-work.ts'
import type { World } from './world.ts'
import type { Worlds } from './worlds.ts'

export type WorkLoop = {
  /** Resolves when the round that runs has ended. */
  stop(): Promise<void>
}

const pauseMs = 100
const afterFaultMs = 1_000

/** Goes round the worlds that have something to do, for as long as it runs. */
export function workLoop(
  worlds: Worlds,
  work: OpenWork,
  { timer, report }: { readonly timer: Timer; readonly report: (error: unknown) => void },
): WorkLoop {
  const stopped = Promise.withResolvers<void>()
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

  async function run(): Promise<void> {
    while (!isStopping) {
      for (const world of worlds.takeDue()) {
        const nextMs = await inWorld(world, () => workOn(world))
        if (nextMs !== undefined) worlds.rest(world, nextMs)
        if (isStopping) return
      }
      const pause = timer(pauseMs)
      await Promise.race([pause.done, stopped.promise])
      pause.cancel()
    }
  }

  const ended = run()
  return {
    stop() {
      isStopping = true
      stopped.resolve()
      return ended
    },
  }
}
