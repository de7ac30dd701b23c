/**
 * The ports of `@quipu/core` that the process itself provides: clock, timer, ids, randomness, background work.
 *
 * @module @quipu/system
 */
export { background, type Background } from './background.ts'
export {
  idleTimer,
  systemClock,
  systemIds,
  systemMonotonic,
  systemRandom,
  systemTimer,
} from './system.ts'
export { systemPorts, type SystemPorts } from './system-ports.ts'
