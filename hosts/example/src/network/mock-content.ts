import { type Bob, parseMoney, toDecimal } from '@quipu/core'
import { type SandboxScenario, sandboxScenarios } from '@quipu/core/adapter'

/** A parsed QR content of the example server: its amount, and how a payment of it ends. */
export type MockContent = {
  /** Null: an open amount. */
  readonly amount: Bob | null
  readonly scenario: SandboxScenario
  /** The payment is made and its first answer lost; or the network leaves it open, and people have to settle it. */
  readonly silence: 'lost_answer' | 'doubt' | null
}

/** The word of each scenario. @source spec §1; `LIMIT`, `TIMEOUT`, `DOUBT` and `REFUSED` are assumed */
const words: Readonly<Record<SandboxScenario, string>> = {
  paid: 'CLOSED',
  late: 'PENDING',
  refused: 'FAIL',
  no_liquidity: 'NOFUNDS',
  limit: 'LIMIT',
  refused_qr: 'REFUSED',
}
const silences = new Map<string | undefined, MockContent['silence']>([
  ['TIMEOUT', 'lost_answer'],
  ['DOUBT', 'doubt'],
])
const scenarioOf = (word: string | undefined): SandboxScenario | undefined =>
  silences.has(word) ? 'paid' : sandboxScenarios.find((scenario) => words[scenario] === word)

/**
 * Parses `MOCK:<word>:<amount>`, `MOCK:OPEN`, and `MOCK:OPEN:<word>`: an open amount with another outcome than paid.
 *
 * @returns undefined for every other content, which is unreadable
 */
export function readMockContent(content: string): MockContent | undefined {
  const [, first = '', second] = /^MOCK:([A-Z]+)(?::([^:]+))?$/.exec(content) ?? []
  const isOpen = first === 'OPEN'
  const word = isOpen ? second : first
  if (isOpen && word === undefined) return { amount: null, scenario: 'paid', silence: null }
  const scenario = scenarioOf(word)
  if (scenario === undefined || (isOpen && word === 'CLOSED')) return undefined
  const silence = silences.get(word) ?? null
  if (isOpen) return { amount: null, scenario, silence }
  const amount = second === undefined ? undefined : parseMoney('BOB', second)
  return amount && amount.minor > 0n ? { amount, scenario, silence } : undefined
}

/** Writes the content that has this outcome. */
export function writeMockContent({ amount, scenario }: Omit<MockContent, 'silence'>): string {
  const word = words[scenario]
  if (amount !== null) return `MOCK:${word}:${toDecimal(amount)}`
  return scenario === 'paid' ? 'MOCK:OPEN' : `MOCK:OPEN:${word}`
}
