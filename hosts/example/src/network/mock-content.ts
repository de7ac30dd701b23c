import { type Bob, parseMoney, toDecimal } from '@quipu/core'
import { type SandboxScenario, sandboxScenarios } from '@quipu/core/adapter'

/** A parsed QR content of the example server: its amount, and how a payment of it ends. */
export type MockContent = {
  /** Null: an open amount. */
  readonly amount: Bob | null
  readonly scenario: SandboxScenario
  /** The network leaves the payment open, and people have to settle it. */
  readonly isInDoubt: boolean
}

/** The word of each scenario. @source spec §1; all but `CLOSED`, `PENDING`, `FAIL` and `NOFUNDS` are assumed */
const words: Readonly<Record<SandboxScenario, string>> = {
  paid: 'CLOSED',
  late: 'PENDING',
  refused: 'FAIL',
  no_liquidity: 'NOFUNDS',
  limit: 'LIMIT',
  refused_qr: 'REFUSED',
  lost_answer: 'TIMEOUT',
  short_quote: 'SHORT',
}
const doubt = 'DOUBT'
const scenarioOf = (word: string | undefined): SandboxScenario | undefined =>
  word === doubt ? 'paid' : sandboxScenarios.find((scenario) => words[scenario] === word)

/**
 * Parses `MOCK:<word>:<amount>`, `MOCK:OPEN`, and `MOCK:OPEN:<word>`: an open amount with another outcome than paid.
 *
 * @returns undefined for every other content, which is unreadable
 */
export function readMockContent(content: string): MockContent | undefined {
  const [, first = '', second] = /^MOCK:([A-Z]+)(?::([^:]+))?$/.exec(content) ?? []
  const isOpen = first === 'OPEN'
  const word = isOpen ? second : first
  if (isOpen && word === undefined) return { amount: null, scenario: 'paid', isInDoubt: false }
  const scenario = scenarioOf(word)
  if (scenario === undefined || (isOpen && word === 'CLOSED')) return undefined
  const isInDoubt = word === doubt
  if (isOpen) return { amount: null, scenario, isInDoubt }
  const amount = second === undefined ? undefined : parseMoney('BOB', second)
  return amount && amount.minor > 0n ? { amount, scenario, isInDoubt } : undefined
}

/** Writes the content that has this outcome. */
export function writeMockContent({ amount, scenario }: Omit<MockContent, 'isInDoubt'>): string {
  const word = words[scenario]
  if (amount !== null) return `MOCK:${word}:${toDecimal(amount)}`
  return scenario === 'paid' ? 'MOCK:OPEN' : `MOCK:OPEN:${word}`
}
