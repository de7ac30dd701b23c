import type { Monotonic, Timer } from '@quipu/core'
import { systemMonotonic, systemTimer } from '@quipu/core/system'

/** How a loop waits, and how it measures what a poll costs. Tests step both. */
export type LoopTiming = { readonly timer: Timer; readonly monotonic: Monotonic }

export const systemTiming: LoopTiming = { timer: systemTimer, monotonic: systemMonotonic }
