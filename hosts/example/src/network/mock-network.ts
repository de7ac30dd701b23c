import type { Clock, QrNetwork, SandboxQrIssuer } from '@quipu/core'
import {
  type FinalAnswer,
  type NetworkAnswer,
  type QrRefused,
  type SandboxQr,
  type SandboxScenario,
  sha256,
} from '@quipu/core/adapter'
import { readMockContent, writeMockContent } from './mock-content.ts'

/** What the network remembers of one key: nothing but what has not ended, and names. */
export type NetworkBooks = {
  /** When a late payment is paid, and how much, by its reference. */
  readonly late: Map<string, { readonly at: Date; readonly paid: FinalAnswer }>
  /** Payments whose answer is to be lost. */
  readonly unheard: Set<string>
  /** What else was asked to be in a QR: its content has no room for it. */
  readonly named: Map<string, Pick<SandboxQr, 'merchant' | 'description'>>
}

export const emptyBooks = (): NetworkBooks => ({
  late: new Map(),
  unheard: new Set(),
  named: new Map(),
})

/** A network on which nothing real moves: the content of a QR picks how its payment ends. */
export type MockNetwork = Pick<Required<QrNetwork>, 'readQr' | 'pay' | 'status' | 'cancel'> &
  SandboxQrIssuer

/** After how long a late payment is paid. @source assumed */
const lateSeconds = 3
const merchant = { name: 'Comercio de Ejemplo', bankCode: '1016' }
/** So many contents are remembered with a name or a description of their own. */
const namedMax = 32
const lifeMs = 24 * 60 * 60 * 1000
const unreadable: QrRefused = { type: 'refused_qr', reason: 'QR_INVALID' }

const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms)

/** @param books  of whoever asks */
export function mockNetwork(books: () => NetworkBooks, now: Clock): MockNetwork {
  const status: MockNetwork['status'] = async (reference) => {
    const payment = books().late.get(reference)
    if (!payment) return { type: 'not_seen' }
    return payment.at <= now() ? payment.paid : { type: 'late' }
  }
  return {
    async readQr(content) {
      const says = readMockContent(content)
      if (!says) return unreadable
      const { amount } = says
      const names = books().named.get(content) ?? { merchant, description: null }
      const amountMode = amount === null ? 'open' : 'closed'
      const networkRef = `mock-${sha256(content).slice(0, 16)}`
      return { type: 'read', networkRef, amountMode, amount, ...names, expiresAt: null }
    },
    async pay({ content, reference, amount }) {
      const says = readMockContent(content)
      if (!says) return { type: 'refused_qr' }
      const paid: FinalAnswer = { type: 'paid', amount, paymentId: `mock-${reference}` }
      if (says.isUnheard) books().unheard.add(reference)
      if (says.scenario !== 'late') return answers[says.scenario] ?? paid
      const { late } = books()
      if (!late.has(reference)) late.set(reference, { at: later(now(), lateSeconds * 1000), paid })
      return { type: 'late' }
    },
    status,
    async cancel(reference, networkRef) {
      const known = await status(reference, networkRef)
      return known.type === 'not_seen' ? { type: 'cancelled' } : known
    },
    async issue({ merchantName, description, ...request }) {
      const content = writeMockContent(request)
      const { named } = books()
      named.delete(content)
      const name = merchantName ?? merchant.name
      const names = { merchant: { ...merchant, name }, description }
      if (merchantName !== null || description !== null) named.set(content, names)
      if (named.size > namedMax) named.delete(named.keys().next().value ?? '')
      return { ...request, ...names, content, expiresAt: later(now(), lifeMs) }
    },
  }
}

/** How each scenario ends that is not paid, at once. */
const answers: { readonly [Scenario in SandboxScenario]?: NetworkAnswer } = {
  refused: { type: 'refused_payment' },
  no_liquidity: { type: 'no_liquidity' },
  limit: { type: 'limit' },
  refused_qr: { type: 'refused_qr' },
}
