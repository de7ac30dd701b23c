import type { Bob } from './money.ts'
import type { AmountMode, Merchant, PaymentOutcome } from './network/qr-network.ts'

/** Decides the outcome of paying a sandbox QR. */
export type SandboxScenario = 'paid' | 'late' | 'refused' | 'no_liquidity' | 'limit' | 'refused_qr'

/** The scenario that produces each outcome of a payment. */
const scenarios: Readonly<Record<PaymentOutcome, SandboxScenario>> = {
  paid: 'paid',
  pending: 'late',
  refused_payment: 'refused',
  no_liquidity: 'no_liquidity',
  limit: 'limit',
  refused_qr: 'refused_qr',
}

/** All scenarios of the sandbox. */
export const sandboxScenarios: readonly SandboxScenario[] = Object.values(scenarios)
/** The outcome of each scenario at the network. */
export const sandboxOutcomes = Object.fromEntries(
  Object.entries(scenarios).map(([outcome, scenario]) => [scenario, outcome]),
) as Readonly<Record<SandboxScenario, PaymentOutcome>>

/** A validated request for a sandbox QR. @source spec §4 */
export type SandboxQrRequest = {
  readonly amountMode: AmountMode
  /** With `closed` only, and required there. */
  readonly amount: Bob | null
  /** At most 40 UTF-8 bytes. */
  readonly merchantName: string | null
  /** At most 60 UTF-8 bytes. */
  readonly description: string | null
  readonly scenario: SandboxScenario
}

/** An issued sandbox QR. */
export type SandboxQr = {
  readonly content: string
  readonly amountMode: AmountMode
  readonly amount: Bob | null
  readonly merchant: Merchant
  readonly description: string | null
  readonly scenario: SandboxScenario
  readonly expiresAt: Date
}

/** Issues test QRs. The sandbox's network holds the key that signs them, as a bank's network does. */
export type SandboxQrIssuer = {
  /** @throws Unavailable when the network cannot be reached */
  issue(request: SandboxQrRequest): Promise<SandboxQr>
}
