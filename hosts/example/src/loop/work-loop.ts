import type { Timer } from '@quipu/core'
import { type PollingLoop, pollingLoop } from '@quipu/runtime'
import { runAs } from '../key/current-key.ts'
import { type PendingWork, soonest } from './pending-work.ts'
import type { KeyState } from '../key/key-state.ts'
import type { KeyStates } from '../key/key-states.ts'

const pauseMs = 100
const afterFaultMs = 1_000

/** Polls the keys that are due, and does their work. */
export function workLoop(
  keyStates: KeyStates,
  work: PendingWork,
  { timer, report }: { readonly timer: Timer; readonly report: (error: unknown) => void },
): PollingLoop {
  let isStopping = false

  /** @returns the ms until more work is due */
  async function workOn(state: KeyState): Promise<number | undefined> {
    try {
      return soonest([await work.settle(state), await work.deliver(state)])
    } catch (error) {
      report(error)
      return afterFaultMs
    }
  }

  async function poll(): Promise<number> {
    for (const state of keyStates.takeDue()) {
      const nextMs = await runAs(state, () => workOn(state))
      if (nextMs !== undefined) keyStates.dueAfter(state, nextMs)
      if (isStopping) break
    }
    return pauseMs
  }

  const loop = pollingLoop(poll, timer)
  return {
    ...loop,
    stop() {
      isStopping = true
      return loop.stop()
    },
  }
}
