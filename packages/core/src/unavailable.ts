/**
 * The outcome of a port's work is unknown or the port cannot be reached.
 *
 * The only error a port may throw for a reason that is not a bug. Asking again with the same
 * arguments is always safe.
 */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
  /** What could not be reached, in words: `payout store`, `QR network`. */
  readonly port: string
  constructor(port: string, options?: ErrorOptions) {
    super(`${port} is unavailable`, options)
    this.port = port
  }
}
