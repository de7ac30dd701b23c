import type { Bob } from './money.ts'
import type { AmountMode, Merchant } from './network/qr-network.ts'

/** The outcomes that a sandbox QR can be issued for. */
export const sandboxScenarios = [
  'paid',
  'late',
  'refused',
  'no_liquidity',
  'limit',
  'refused_qr',
] as const
/** The outcome of paying a sandbox QR. */
export type SandboxScenario = (typeof sandboxScenarios)[number]

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
