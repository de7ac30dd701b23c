import type { Bob } from './money.ts'
import type { AmountMode, Merchant, PaymentOutcome } from './network/qr-network.ts'

/** Decides the outcome of paying a sandbox QR. */
export type SandboxScenario =
  | 'paid'
  | 'late'
  | 'refused'
  | 'no_liquidity'
  | 'limit'
  | 'refused_qr'
  /** Paid, and the first answer to the tenant is lost. */
  | 'lost_answer'
  /** Paid, and a quote of it lives for the shortest time. */
  | 'short_quote'

/** The outcome of each scenario at the network. */
export const sandboxOutcomes: Readonly<Record<SandboxScenario, PaymentOutcome>> = {
  paid: 'paid',
  late: 'pending',
  refused: 'refused_payment',
  no_liquidity: 'no_liquidity',
  limit: 'limit',
  refused_qr: 'refused_qr',
  lost_answer: 'paid',
  short_quote: 'paid',
}

/** All scenarios of the sandbox. */
export const sandboxScenarios: readonly SandboxScenario[] = Object.keys(sandboxOutcomes) as SandboxScenario[]

/** The merchant's bank of a sandbox QR. The API knows by it what the network cannot show. */
export const sandboxBankCode = (scenario: SandboxScenario): string =>
  scenario === 'lost_answer' ? '9001' : scenario === 'short_quote' ? '9002' : '1016'

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

/**
 * Issues test QRs. The sandbox's network holds the key that signs them, as a bank's network does. The service keeps no
 * record of a QR, nor of its tenant.
 */
export type SandboxQrIssuer = {
  /** @throws Unavailable when the network cannot be reached */
  issue(request: SandboxQrRequest): Promise<SandboxQr>
}
