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

/** The facts with which a reader of a code decides the next step. Texts use backquotes as descriptions do. */
export type Explanation = {
  readonly when: string
  readonly debited: Debited
  readonly remedy: string
  readonly retry: Retry
}

/** An explanation whose circumstances the message of the code describes. */
export type Remedy = Omit<Explanation, 'when'>

/** A request that was refused before it had an effect. */
export const refused = (retry: Retry, remedy: string): Remedy => ({ debited: 'nothing', remedy, retry })
