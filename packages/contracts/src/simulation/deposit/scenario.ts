/** The kinds of payments; the kind decides the outcome of a solid one. */
export const paymentKinds = ['normal', 'dust', 'huge', 'nothing', 'service', 'several', 'failed'] as const
/** One of `paymentKinds`. */
export type PaymentKind = (typeof paymentKinds)[number]

/** A payment to the top-up address of one tenant, by its index. */
export type PaymentScenario = {
  readonly tenant: number
  readonly kind: PaymentKind
  /** When it is sent, in milliseconds from the start. */
  readonly at: number
}
