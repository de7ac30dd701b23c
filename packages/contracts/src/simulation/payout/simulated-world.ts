import type { Clock, QrNetwork, SandboxQrIssuer, Stores } from '@quipu/core'
import type { FinalPaymentOutcome } from '@quipu/core/adapter'

/** Stores and a network whose clock is the simulation’s. Only `settle` decides late payments. */
export type SimulatedWorld = {
  readonly stores: Stores
  /** Keeps the record. It can cancel. */
  readonly network: QrNetwork
  readonly issuer: SandboxQrIssuer
  settle(reference: string, outcome: FinalPaymentOutcome): void
}
export type OpenSimulatedWorld = (now: Clock) => SimulatedWorld
