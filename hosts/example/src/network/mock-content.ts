import { type Bob, parseMoney, toDecimal } from '@quipu/core'
import type { SandboxScenario } from '@quipu/core/adapter'

/** A parsed QR content of the example server: its amount, and how a payment of it ends. */
export type MockContent = {
  /** Null: an open amount. */
  readonly amount: Bob | null
  readonly scenario: SandboxScenario
  /** Whether the payment is made and its first answer lost. */
  readonly losesAnswer: boolean
}

/** The scenario of each word. @source spec §1; `LIMIT`, `TIMEOUT` and `REFUSED` are assumed */
const scenarios: Readonly<Record<string, SandboxScenario>> = {
  CLOSED: 'paid',
  PENDING: 'late',
  FAIL: 'refused',
  NOFUNDS: 'no_liquidity',
  LIMIT: 'limit',
  REFUSED: 'refused_qr',
  TIMEOUT: 'paid',
}

/**
 * Parses `MOCK:<word>:<amount>`, `MOCK:OPEN`, and `MOCK:OPEN:<word>`: an open amount with another outcome than paid.
 *
 * @returns undefined for every other content, which is unreadable
 */
export function readMockContent(content: string): MockContent | undefined {
  const [, first = '', second] = /^MOCK:([A-Z]+)(?::([^:]+))?$/.exec(content) ?? []
  const isOpen = first === 'OPEN'
  const word = isOpen ? second : first
  if (isOpen && word === undefined) return { amount: null, scenario: 'paid', losesAnswer: false }
  const scenario = word === undefined || !Object.hasOwn(scenarios, word) ? undefined : scenarios[word]
  if (scenario === undefined || (isOpen && word === 'CLOSED')) return undefined
  const losesAnswer = word === 'TIMEOUT'
  if (isOpen) return { amount: null, scenario, losesAnswer }
  const amount = second === undefined ? undefined : parseMoney('BOB', second)
  return amount && amount.minor > 0n ? { amount, scenario, losesAnswer } : undefined
}

/** Writes the content that has this outcome. */
export function writeMockContent({ amount, scenario }: Omit<MockContent, 'losesAnswer'>): string {
  const word = Object.keys(scenarios).find((each) => scenarios[each] === scenario) ?? ''
  if (amount !== null) return `MOCK:${word}:${toDecimal(amount)}`
  return scenario === 'paid' ? 'MOCK:OPEN' : `MOCK:OPEN:${word}`
}
