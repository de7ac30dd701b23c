import fc from 'fast-check'

/** The kinds of payments; the kind decides the outcome of a solid one. */
export const paymentKinds = ['normal', 'dust', 'huge', 'nothing', 'service', 'several', 'failed'] as const
export type PaymentKind = (typeof paymentKinds)[number]

export type PaymentScenario = {
  readonly tenant: number
  readonly kind: PaymentKind
  /** When it is sent, in milliseconds from the start. */
  readonly at: number
}

/** Two minutes of payments, forks, faults and crashes of two workers. */
export type DepositScenario = {
  /** The seed of all other choices: the depth of forks, what is forged, latencies, which worker crashes. */
  readonly seed: number
  readonly payments: readonly PaymentScenario[]
  /** When a worker crashes, in milliseconds from the start. */
  readonly crashes: readonly number[]
  /** Probability that a new block forks, down to the solid block at most. */
  readonly forks: number
  /** Probability that a node forges a head block. */
  readonly forgeries: number
  /** Probability that a node does not answer. */
  readonly nodeFaults: number
  /** Probability that a store call fails; half of these calls take effect. */
  readonly storeFaults: number
  /** The maximum latency of most messages, in milliseconds. */
  readonly latencyMs: number
  /** The maximum number of blocks that a node is behind. */
  readonly staleness: number
}

/** The duration of the part with faults. */
export const faultyMs = 120_000

const anyPayment: fc.Arbitrary<PaymentScenario> = fc.record({
  tenant: fc.nat(2),
  kind: fc.oneof(
    { weight: 4, arbitrary: fc.constant('normal' as const) },
    { weight: 3, arbitrary: fc.constantFrom(...paymentKinds) },
  ),
  at: fc.nat(faultyMs),
})

export const anyDepositScenario: fc.Arbitrary<DepositScenario> = fc.record({
  seed: fc.integer(),
  payments: fc.array(anyPayment, { minLength: 1, maxLength: 14 }),
  crashes: fc.array(fc.nat(faultyMs), { maxLength: 6 }),
  forks: fc.constantFrom(0, 0.1, 0.4),
  forgeries: fc.constantFrom(0, 0.1, 0.5),
  nodeFaults: fc.constantFrom(0, 0.05, 0.3),
  storeFaults: fc.constantFrom(0, 0.02, 0.1),
  latencyMs: fc.constantFrom(0, 200, 3_000),
  staleness: fc.constantFrom(0, 2, 8),
})
