import fc from 'fast-check'
import { sandboxScenarios } from '@quipu/core'

/** What a request carries instead of, or as, the quote's own QR. */
export type Content = 'right' | 'other_amount' | 'junk'

/** One tenant's busy minutes: few ids and little money, so that everything is in everything's way. */
export type Scenario = {
  /** Draws everything that is not told here: the order of things, latencies, who crashes. */
  readonly seed: number
  readonly funds: bigint
  readonly quotes: readonly QuoteScenario[]
  readonly requests: readonly RequestScenario[]
  /** Milliseconds from the start at which some machine dies. */
  readonly crashes: readonly number[]
  /** Probability that a message to or from the network is lost. */
  readonly networkFaults: number
  /** Probability that a call to the store fails. */
  readonly storeFaults: number
  /** The slowest that a message usually is, in milliseconds. */
  readonly latencyMs: number
}

export type QuoteScenario = {
  readonly source: bigint
  readonly isOpen: boolean
  readonly scenario: (typeof sandboxScenarios)[number]
  /** Whether the quote was made from a reading of its QR. */
  readonly isResolved: boolean
  readonly lifeSeconds: number
}

export type RequestScenario = {
  readonly transaction: number
  readonly quote: number
  readonly content: Content
  /** Milliseconds from the start at which a client first sends it. */
  readonly at: number
}

const anyQuoteScenario: fc.Arbitrary<QuoteScenario> = fc.record({
  source: fc.bigInt({ min: 5n, max: 25n }),
  isOpen: fc.boolean(),
  scenario: fc.oneof(fc.constant('paid' as const), fc.constantFrom(...sandboxScenarios)),
  isResolved: fc.boolean(),
  lifeSeconds: fc.integer({ min: 15, max: 120 }),
})

/** Mostly each id with a quote of its own, so that requests repeat each other; sometimes a rival's. */
const anyRequestScenario: fc.Arbitrary<RequestScenario> = fc
  .record({
    transaction: fc.nat(3),
    rivals: fc.oneof(
      { weight: 3, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }) },
    ),
    content: fc.oneof(
      { weight: 8, arbitrary: fc.constant<Content>('right') },
      { weight: 1, arbitrary: fc.constantFrom<Content>('other_amount', 'junk') },
    ),
    at: fc.oneof(fc.constant(0), fc.nat(30_000)),
  })
  .map(({ rivals, ...scenario }) => ({ ...scenario, quote: (scenario.transaction + rivals) % 4 }))

export const anyScenario: fc.Arbitrary<Scenario> = fc.record({
  seed: fc.integer(),
  funds: fc.bigInt({ min: 10n, max: 80n }),
  quotes: fc.array(anyQuoteScenario, { minLength: 4, maxLength: 4 }),
  requests: fc.array(anyRequestScenario, { minLength: 1, maxLength: 12 }),
  crashes: fc.array(fc.nat(90_000), { maxLength: 6 }),
  networkFaults: fc.constantFrom(0, 0.1, 0.4),
  storeFaults: fc.constantFrom(0, 0.02, 0.1),
  latencyMs: fc.constantFrom(0, 200, 4_000),
})
