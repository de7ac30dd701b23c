/** What a use case asks of the world. */
export type Dependency = 'store' | 'qr_network' | 'rate_source' | 'chain' | 'signer' | 'queue'

/**
 * A port cannot be reached, or what it did could not be found out.
 *
 * The only error that a port may throw for a reason that is not a bug. Asking again with the same
 * arguments is always safe.
 */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
  readonly dependency: Dependency
  constructor(dependency: Dependency, reason: string, options?: ErrorOptions) {
    super(`${dependency} unavailable: ${reason}`, options)
    this.dependency = dependency
  }
}
