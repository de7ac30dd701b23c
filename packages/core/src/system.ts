/**
 * The ports that the process itself provides: clock, timer, ids, randomness, background work. It runs on Node; the rest of the
 * core has no clock and no I/O.
 *
 * @module @quipu/core/system
 */
export { background, type Background } from './system/background.ts'
export { idleTimer, systemClock, systemIds, systemMonotonic, systemRandom, systemTimer } from './system/system.ts'
export { systemPorts, type SystemPorts } from './system/system-ports.ts'
