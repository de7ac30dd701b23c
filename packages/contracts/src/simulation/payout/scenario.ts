import fc from 'fast-check'
import type { NetworkCapabilities } from '@quipu/core'
import { sandboxScenarios } from '@quipu/core/adapter'

/** The QR of a request: the quote's, one for another amount, or none. */
export type Content = 'right' | 'other_amount' | 'junk'

/** Concurrent requests of one tenant, with few ids and little money so that most conflict. */
export type Scenario = {
  /** The seed of all other choices: the order of events, latencies, which machine crashes. */
  readonly seed: number
  readonly funds: bigint
  /** The proof that the network gives of an order that was not paid. */
  readonly unpaidProof: NetworkCapabilities['unpaidProof']['by']
  readonly quotes: readonly QuoteScenario[]
  readonly requests: readonly RequestScenario[]
  /** When a machine crashes, in milliseconds from the start. */
  readonly crashes: readonly number[]
  /** Probability that a message to or from the network is lost. */
  readonly networkFaults: number
  /** Probability that a store call fails. */
  readonly storeFaults: number
  /** The maximum latency of most messages, in milliseconds. */
  readonly latencyMs: number
}

export type QuoteScenario = {
  readonly source: bigint
  readonly isOpen: boolean
  readonly scenario: (typeof sandboxScenarios)[number]
  /** Whether the quote names a resolution. */
  readonly isResolved: boolean
  readonly lifeSeconds: number
}

export type RequestScenario = {
  readonly transaction: number
  readonly quote: number
  readonly content: Content
  /** When a client first sends it, in milliseconds from the start. */
  readonly at: number
}

const anyQuoteScenario: fc.Arbitrary<QuoteScenario> = fc.record({
  source: fc.bigInt({ min: 5n, max: 25n }),
  isOpen: fc.boolean(),
  scenario: fc.oneof(fc.constant('paid' as const), fc.constantFrom(...sandboxScenarios)),
  isResolved: fc.boolean(),
  lifeSeconds: fc.integer({ min: 15, max: 120 }),
})

/** Mostly each id with its own quote, so that requests repeat; sometimes with the quote of another id. */
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
  unpaidProof: fc.constantFrom('cancel' as const, 'statement' as const, 'people' as const),
  quotes: fc.array(anyQuoteScenario, { minLength: 4, maxLength: 4 }),
  requests: fc.array(anyRequestScenario, { minLength: 1, maxLength: 12 }),
  crashes: fc.array(fc.nat(90_000), { maxLength: 6 }),
  networkFaults: fc.constantFrom(0, 0.1, 0.4),
  storeFaults: fc.constantFrom(0, 0.02, 0.1),
  latencyMs: fc.constantFrom(0, 200, 4_000),
})
