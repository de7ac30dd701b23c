import type { Bob } from './money.ts'
import type { AmountMode, Merchant } from './network/qr-network.ts'

/** How a sandbox QR ends when it is paid. */
export const sandboxScenarios = [
  'paid',
  'late',
  'refused',
  'no_liquidity',
  'limit',
  'refused_qr',
] as const
export type SandboxScenario = (typeof sandboxScenarios)[number]

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

export type SandboxQr = {
  readonly content: string
  readonly amountMode: AmountMode
  readonly amount: Bob | null
  readonly merchant: Merchant
  readonly description: string | null
  readonly scenario: SandboxScenario
  readonly expiresAt: Date
}

/** Issues test QRs. The sandbox's network holds the key that signs them, as a real one would. */
export type SandboxQrIssuer = {
  /** @throws Unavailable */
  issue(request: SandboxQrRequest): Promise<SandboxQr>
}
