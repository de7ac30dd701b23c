/** The external system that a port stands for. */
export type Dependency = 'store' | 'qr_network' | 'rate_source' | 'chain' | 'signer' | 'queue' | 'screening'

/**
 * A port cannot be reached, or the outcome of a call to it is unknown.
 *
 * The only error of a port that is not a bug. Repeating the call with the same arguments is always safe.
 */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
  readonly dependency: Dependency
  constructor(dependency: Dependency, reason: string, options?: ErrorOptions) {
    super(`${dependency} unavailable: ${reason}`, options)
    this.dependency = dependency
  }
}
