import type { Bob, Clock, Monotonic } from '@quipu/core'
import type { Unfamiliar } from './unfamiliar.ts'

/** How a process shows that it is the App at ATC's portal. */
export type OpenHubCredentials = { readonly clientId: string } & (
  | { readonly clientSecret: string }
  /** The value after `Basic`, ready-made by ATC. */
  | { readonly basicToken: string }
)

/** The URL, the credentials and the durations of the gateway. */
export type OpenHubOptions = {
  /** Base URL of the gateway, with or without a slash at its end. */
  readonly url: string
  readonly credentials: OpenHubCredentials
  /** The tax number that the account belongs to: 7 to 20 digits. */
  readonly nit: string
  /** The account that pays: 8 to 20 digits. */
  readonly sourceAccount: string
  readonly now: Clock
  readonly monotonic: Monotonic
  /** `QrNetwork.identity`: by default host, path, the account's last four digits and a digest of it and the NIT. */
  readonly identity?: string | undefined
  readonly qrPath?: string | undefined
  readonly accountsPath?: string | undefined
  readonly tokenPath?: string | undefined
  /** Deadline of `readQr`'s request; by default as ATC recommends. */
  readonly scanTimeoutMs?: number | undefined
  /** Deadline of `pay`'s request. */
  readonly confirmTimeoutMs?: number | undefined
  /** Deadline of a status request; 90 s by default. */
  readonly statusTimeoutMs?: number | undefined
  /** Deadline of a balance, and of the movements of one day; 30 s by default. */
  readonly accountsTimeoutMs?: number | undefined
  /** The longest description that is sent, in characters. */
  readonly descriptionMax?: number | undefined
  /**
   * The `tipoOperacion` of QR payouts in the debits. Others are left out of the statement, unless they carry the id of a
   * payout. By default every debit is in it.
   */
  readonly qrOperations?: readonly string[] | undefined
  /** The gateway refuses with 401, 403 and 404 before it forwards, by ATC's word: such an order is `not_sent`. */
  readonly isGatewayRefusalNotSent?: boolean | undefined
  /**
   * By ATC's written word, the debits have every payment that is ever made this long after its order. Then absence proves
   * that an order was not paid; by default only people settle it.
   */
  readonly unpaidAfterSeconds?: number | undefined
  /** The largest order; a larger one is answered `limit`, and never sent. None by default: OpenHub documents no limit. */
  readonly paymentCap?: Bob | undefined
  /** Maximum of connections; 256 by default. */
  readonly connectionsMax?: number | undefined
  /** The largest list of one day's movements; 64 MiB by default, some 80,000 rows. A larger one is `Unavailable`. */
  readonly movementBytesMax?: number | undefined
  /** Called once for each code, state and member that the documentation lacks; 200 at most. */
  readonly onUnfamiliar?: ((unfamiliar: Unfamiliar) => void) | undefined
}
