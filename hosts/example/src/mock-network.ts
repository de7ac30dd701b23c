import { bob, type Clock, type QrNetwork, type SandboxQr, type SandboxQrIssuer } from '@quipu/core'
import { type MemoryQr, memoryQrNetwork } from '@quipu/memory'
import { readMockContent, writeMockContent } from './mock-content.ts'

/** The network of one key: the content of a QR picks how its payment ends. */
export type MockNetwork = Pick<Required<QrNetwork>, 'readQr' | 'pay' | 'status' | 'close'> &
  SandboxQrIssuer & {
    /** Whether it has not answered some payments yet. */
    isLate(): boolean
    /** The references that it can answer since it was asked last. */
    answered(): readonly string[]
    /** Whether the answer about this payment is to be lost; only the first time that it is asked. */
    loses(reference: string): boolean
  }

/** After how long a late payment is paid. @source assumed */
const lateSeconds = 3
/** More than all payments of one key can come to. */
const funds = bob(10n ** 18n)
const merchant = { name: 'Comercio de Ejemplo', bankCode: '1016' }
/** For an order that has none since its QR had one when it was read. */
const description = 'Pago QR'
/** So many contents are remembered with a name or a description of their own. */
const namedMax = 32
const lifeMs = 24 * 60 * 60 * 1000

export function mockNetwork(now: Clock): MockNetwork {
  /** What was asked to be in a QR besides the outcome: its content has no room for it. */
  const named = new Map<string, Pick<SandboxQr, 'merchant' | 'description'>>()
  const late = new Set<string>()
  const unheard = new Set<string>()
  const read = (content: string): MemoryQr | undefined => {
    const says = readMockContent(content)
    const { amount, scenario } = says ?? {}
    if (amount === undefined || scenario === undefined) return undefined
    const amountMode = amount === null ? 'open' : 'closed'
    const names = named.get(content) ?? { merchant, description: null }
    return { amountMode, amount, ...names, expiresAt: null, scenario }
  }
  const network = memoryQrNetwork({ now, funds, lateSeconds, read })

  return {
    readQr: async (content, signal) =>
      readMockContent(content)
        ? network.readQr(content, signal)
        : { type: 'refused_qr', reason: 'QR_INVALID' },
    async pay(order) {
      const answer = await network.pay({ ...order, description: order.description ?? description })
      if (answer.type === 'late') late.add(order.reference)
      if (readMockContent(order.content)?.isUnheard) unheard.add(order.reference)
      return answer
    },
    status: (reference, networkRef) => network.status(reference, networkRef),
    close: (reference, networkRef) => network.close(reference, networkRef),
    async issue({ merchantName, ...request }) {
      const content = writeMockContent(request)
      named.delete(content)
      const names = {
        merchant: { ...merchant, ...(merchantName !== null && { name: merchantName }) },
        description: request.description,
      }
      if (merchantName !== null || request.description !== null) named.set(content, names)
      if (named.size > namedMax) named.delete(named.keys().next().value ?? '')
      return { ...request, ...names, content, expiresAt: new Date(now().getTime() + lifeMs) }
    },
    isLate: () => late.size > 0,
    answered: () =>
      Array.from(late).filter(
        (reference) => network.answerOf(reference)?.type !== 'late' && late.delete(reference),
      ),
    loses: (reference) => unheard.delete(reference),
  }
}
