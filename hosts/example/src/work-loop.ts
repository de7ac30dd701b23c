import type { Timer } from '@quipu/core'
import { inWorld } from './current-world.ts'
import type { OpenWork } from './open-work.ts'
import type { World } from './world.ts'
import type { Worlds } from './worlds.ts'

export type WorkLoop = {
  /** Resolves when the round that runs has ended. */
  stop(): Promise<void>
}

const pauseMs = 100

/** Goes round the worlds that have something to do, for as long as it runs. */
export function workLoop(
  worlds: Worlds,
  work: OpenWork,
  { timer, report }: { readonly timer: Timer; readonly report: (error: unknown) => void },
): WorkLoop {
  const stopped = Promise.withResolvers<void>()
  let isStopping = false

  async function isOpenAfter(world: World): Promise<boolean> {
    try {
      return [await work.settle(world), await work.deliver(world)].includes(true)
    } catch (error) {
      report(error)
      return true
    }
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      for (const world of worlds.takeStirred()) {
        if (await inWorld(world, () => isOpenAfter(world))) worlds.stir(world)
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
