import { cancelling, type Clock, type QrNetwork, type SandboxQrIssuer } from '@quipu/core'
import {
  type FinalAnswer,
  type Merchant,
  type NetworkAnswer,
  type QrRefused,
  sandboxBankCode,
  sandboxOutcomes,
  type SandboxQr,
  type SandboxScenario,
  sha256,
} from '@quipu/core/adapter'
import { readMockContent, writeMockContent } from './mock-content.ts'

/** The state of the network for one key: unsettled payments and names. */
export type NetworkState = {
  /** Late payments by reference: the answer before each ends, when it does, and the answer then. */
  readonly late: Map<string, { readonly before: NetworkAnswer; readonly at: Date; readonly end: FinalAnswer }>
  /** Merchant and description of issued QRs, by content: the content cannot hold them. */
  readonly named: Map<string, Pick<SandboxQr, 'merchant' | 'description'>>
}

export const emptyNetworkState = (): NetworkState => ({ late: new Map(), named: new Map() })

/** A simulated network: the content of a QR decides how its payment ends. */
export type MockNetwork = Omit<QrNetwork, 'liquidity'> & SandboxQrIssuer

/** The delay of a late payment. */
const lateMs = 3_000
/** When people have settled a payment in doubt: they have the network's word that it was not paid. */
const doubtMs = 24 * 60 * 60 * 1000
const inDoubt: NetworkAnswer = { type: 'unknown', reason: 'the QR asks for a payment in doubt' }
const merchantOf = (scenario: SandboxScenario, name: string | null = null): Merchant => ({
  name: name ?? 'Comercio de Ejemplo',
  bankCode: sandboxBankCode(scenario),
})
/** How many contents keep a name or description. */
const namedMax = 32
/** How long a QR is payable, from when it is issued or read: its content has no date. */
const lifeMs = 24 * 60 * 60 * 1000
const unreadable: QrRefused = { type: 'refused_qr', reason: 'QR_INVALID' }

const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms)

/** @param state  the state of the current key */
export function mockNetwork(state: () => NetworkState, now: Clock): MockNetwork {
  const status: MockNetwork['status'] = async (reference) => {
    const payment = state().late.get(reference)
    if (!payment) return { type: 'not_seen' }
    return payment.at <= now() ? payment.end : payment.before
  }
  const begin = (reference: string, before: NetworkAnswer, ms: number, end: FinalAnswer): NetworkAnswer => {
    const { late } = state()
    if (!late.has(reference)) late.set(reference, { before, at: later(now(), ms), end })
    return before
  }
  return {
    identity: 'example',
    capabilities: cancelling,
    async readQr(content) {
      const parsed = readMockContent(content)
      if (!parsed) return unreadable
      const { amount, scenario } = parsed
      const names = state().named.get(content) ?? { merchant: merchantOf(scenario), description: null }
      const amountMode = amount === null ? 'open' : 'closed'
      const networkRef = `mock-${sha256(content).slice(0, 16)}`
      return { type: 'read', networkRef, amountMode, amount, ...names, expiresAt: later(now(), lifeMs) }
    },
    async pay({ content, reference, amount }) {
      const parsed = readMockContent(content)
      if (!parsed) return { type: 'refused_qr' }
      const paid: FinalAnswer = { type: 'paid', amount, paymentId: `mock-${reference}` }
      if (parsed.isInDoubt) return begin(reference, inDoubt, doubtMs, { type: 'cancelled' })
      const outcome = sandboxOutcomes[parsed.scenario]
      if (outcome === 'paid') return paid
      return outcome === 'pending' ? begin(reference, { type: 'pending' }, lateMs, paid) : { type: outcome }
    },
    status,
    /** Nothing here compares it. */
    statement: async function* () {},
    async cancel(reference, networkRef) {
      const known = await status(reference, networkRef)
      return known.type === 'not_seen' ? { type: 'cancelled' } : known
    },
    async issue({ merchantName, description, ...request }) {
      const content = writeMockContent(request)
      const { named } = state()
      named.delete(content)
      const names = { merchant: merchantOf(request.scenario, merchantName), description }
      if (merchantName !== null || description !== null) named.set(content, names)
      if (named.size > namedMax) named.delete(named.keys().next().value ?? '')
      return { ...request, ...names, content, expiresAt: later(now(), lifeMs) }
    },
  }
}
