import fc from 'fast-check'

/** What somebody sends, and what should become of it when it is solid. */
export const paymentKinds = [
  'normal',
  'dust',
  'huge',
  'nothing',
  'service',
  'several',
  'failed',
] as const
export type PaymentKind = (typeof paymentKinds)[number]

export type PaymentScenario = {
  readonly tenant: number
  readonly kind: PaymentKind
  /** Milliseconds from the start at which it is sent. */
  readonly at: number
}

/** Some minutes of a chain that is taken back again and again, and of two workers that die. */
export type DepositScenario = {
  /** Draws everything that is not told here: forks, lies, latencies, who crashes. */
  readonly seed: number
  readonly payments: readonly PaymentScenario[]
  /** Milliseconds from the start at which some worker dies. */
  readonly crashes: readonly number[]
  /** Probability that a block takes others back, down to the solid one at most. */
  readonly forks: number
  /** Probability that a node of the head shows what is not there. */
  readonly forgeries: number
  /** Probability that a node gives no sound answer. */
  readonly nodeFaults: number
  /** Probability that a call to the store fails, half of the time after it took effect. */
  readonly storeFaults: number
  /** The slowest that a message usually is, in milliseconds. */
  readonly latencyMs: number
  /** How many blocks a node may be behind. */
  readonly staleness: number
}

/** How long the wild part lasts. */
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
