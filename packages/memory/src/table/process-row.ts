import type { ServiceProcess } from '@quipu/core/operator'

/** A process, and when it was first, steadily and last seen, and when it stopped. */
export type ProcessRow = {
  readonly process: ServiceProcess
  readonly firstAt: Date
  readonly steadyAt: Date
  readonly seenAt: Date
  readonly endedAt: Date | null
}
