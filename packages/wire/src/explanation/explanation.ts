import type { Text } from '../text/text.ts'

/** The effect of a refused request or an ended payout on the wallet. */
export type Debited =
  /** Nothing was debited. */
  | 'nothing'
  /** The held amount returned to the wallet: nothing was debited. */
  | 'released'
  /** The payment may have been made. */
  | 'unknown'
  /** A deposit that is not credited. */
  | 'not_credited'

/** Whether the same request can have another answer. */
export type Retry =
  /** The same request, unchanged: it is safe at any time. */
  | 'same'
  /** The same request, once time has passed. */
  | 'later'
  /** A corrected request; the same one is refused again. */
  | 'changed'
  /** No request of the caller changes it. */
  | 'no'

/**
 * The facts with which a reader of a code decides the next step. Texts use backquotes as descriptions do. Tenants read
 * them in every language, operators in English.
 */
export type Explanation<Said = Text> = {
  readonly when: Said
  readonly debited: Debited
  readonly remedy: Said
  readonly retry: Retry
}

/** An explanation whose circumstances the message of the code describes. */
export type Remedy<Said = Text> = Omit<Explanation<Said>, 'when'>

/** A request that was refused before it had an effect. */
export const refused = <Said = Text>(retry: Retry, remedy: Said): Remedy<Said> => ({
  debited: 'nothing',
  remedy,
  retry,
})
