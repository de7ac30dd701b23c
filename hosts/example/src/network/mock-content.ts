import { type Bob, parseMoney, toDecimal } from '@quipu/core'
import type { SandboxScenario } from '@quipu/core/adapter'

/** What a QR content of the example server says, and how it ends when it is paid. */
export type MockContent = {
  /** Null: the QR leaves the amount open. */
  readonly amount: Bob | null
  readonly scenario: SandboxScenario
  /** The payment is made, and its first answer is lost. */
  readonly isUnheard: boolean
}

/** How each word ends. @source spec §1; `LIMIT`, `TIMEOUT` and `REFUSED` are assumed */
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
 * Reads `MOCK:<word>:<amount>`, `MOCK:OPEN`, and `MOCK:OPEN:<word>` for an open amount that ends
 * otherwise than paid.
 *
 * @returns undefined for every other content: it is unreadable
 */
export function readMockContent(content: string): MockContent | undefined {
  const [, first = '', second] = /^MOCK:([A-Z]+)(?::([^:]+))?$/.exec(content) ?? []
  const isOpen = first === 'OPEN'
  const word = isOpen ? second : first
  if (isOpen && word === undefined) return { amount: null, scenario: 'paid', isUnheard: false }
  const scenario =
    word === undefined || !Object.hasOwn(scenarios, word) ? undefined : scenarios[word]
  if (scenario === undefined || (isOpen && word === 'CLOSED')) return undefined
  const isUnheard = word === 'TIMEOUT'
  if (isOpen) return { amount: null, scenario, isUnheard }
  const amount = second === undefined ? undefined : parseMoney('BOB', second)
  return amount && amount.minor > 0n ? { amount, scenario, isUnheard } : undefined
}

/** The content that ends so. */
export function writeMockContent({ amount, scenario }: Omit<MockContent, 'isUnheard'>): string {
  const word = Object.keys(scenarios).find((each) => scenarios[each] === scenario) ?? ''
  if (amount !== null) return `MOCK:${word}:${toDecimal(amount)}`
  return scenario === 'paid' ? 'MOCK:OPEN' : `MOCK:OPEN:${word}`
}
