import {
  type Bob,
  bob,
  cancelling,
  type Clock,
  type NetworkCapabilities,
  type QrNetwork,
  type SandboxQrIssuer,
  Unavailable,
} from '@quipu/core'
import {
  type FinalPaymentOutcome,
  type NetworkAnswer,
  type PaymentOrder,
  sandboxBankCode,
  type SandboxQr,
  type SandboxQrRequest,
} from '@quipu/core/adapter'
import { orderIntake } from './order-intake.ts'
import { networkLedger } from './network-ledger.ts'
import { carry, type NetworkCall, type NetworkHooks } from './network-transport.ts'
import { type MemoryQr, readContent, writeContent } from './qr-content.ts'

/** The clock, the funds and the faults of the network in memory. */
export type MemoryQrNetworkOptions = {
  readonly now: Clock
  /** The BOB to pay from; ten million when absent. */
  readonly funds?: Bob
  /** Seconds until a late payment becomes `paid`; null: only `settle` decides it. 3 when absent. */
  readonly lateSeconds?: number | null
  /** Reads contents that this network has not issued; undefined when unreadable. */
  readonly read?: (content: string) => MemoryQr | undefined
  readonly hooks?: NetworkHooks
  /** Its abilities, which it keeps to: `cancelling` when absent. */
  readonly capabilities?: NetworkCapabilities
}

/** A QR network with its own ledger, and methods to inspect and change it. */
export type MemoryQrNetwork = QrNetwork &
  SandboxQrIssuer & {
    /** An order arrives late, such as one that its sender gave up as lost. */
    arrive(order: PaymentOrder): NetworkAnswer
    /** Decides a late payment now, `paid` by default. Does nothing to any other payment. */
    settle(reference: string, outcome?: FinalPaymentOutcome): void
    /** The record of a reference; undefined when there is none. */
    answerOf(reference: string): NetworkAnswer | undefined
  }

/** A QR network in the memory of this process. It answers at once and moves no real money. */
export function memoryQrNetwork(options: MemoryQrNetworkOptions): MemoryQrNetwork {
  const { now, funds = bob(1_000_000_000n), lateSeconds = 3, hooks = {}, capabilities = cancelling } = options
  const { unpaidProof, givesReferenceAtPay, isReadingSingleUse, isPayRepeatable } = capabilities
  const ledger = networkLedger({ now, funds, lateSeconds, isPayRepeatable })
  const intake = orderIntake({
    now,
    ledger,
    decode: (content) => readContent(content) ?? options.read?.(content),
    paying: (order) => hooks.paying?.(order) ?? order.amount,
    isReadingSingleUse,
  })

  /** Its own reference of each order, if it gives one: the only one that `status` then knows. */
  const givenRef = ({ reference, networkRef }: Ordered): string =>
    givesReferenceAtPay ? `given-${reference}` : networkRef
  const withRef = (order: PaymentOrder, answer: NetworkAnswer): NetworkAnswer =>
    givesReferenceAtPay && (answer.type === 'paid' || answer.type === 'pending')
      ? { ...answer, networkRef: givenRef(order) }
      : answer
  const order = (order: PaymentOrder): NetworkAnswer => withRef(order, intake.order(order))

  /** Only an order can be provably not sent; any other without an answer is `unknown`. */
  async function ask<T>(call: NetworkCall, act: () => T): Promise<T | Unknown> {
    const carried = await carry(hooks, call, act)
    return carried.type === 'answered' ? carried.answer : { ...carried, type: 'unknown' }
  }

  return {
    identity: 'memory',
    capabilities,
    readQr: async (content, signal) => {
      const answer = await ask({ type: 'read', content }, () => intake.read(content))
      if (signal.aborted) throw new Unavailable('qr_network', 'aborted')
      if (answer.type === 'unknown') throw new Unavailable('qr_network', answer.reason)
      return answer
    },
    pay: async (ordered) => {
      const carried = await carry(hooks, { type: 'pay', order: ordered }, () => order(ordered))
      return carried.type === 'answered' ? carried.answer : carried
    },
    status: (reference, networkRef) =>
      ask({ type: 'status', reference }, () => {
        const isKnown = networkRef === givenRef({ reference, networkRef })
        return (isKnown ? ledger.answerOf(reference) : undefined) ?? { type: 'not_seen' }
      }),
    ...(unpaidProof.by === 'cancel' && {
      cancel: (reference: string) => ask({ type: 'cancel', reference }, () => ledger.cancel(reference)),
    }),
    liquidity: async () => ({ available: ledger.available(), at: now() }),
    async *statement(from, to) {
      yield* ledger.payments().filter(({ paidAt }) => paidAt >= from && paidAt <= to)
    },
    issue: issuer(now),
    arrive: order,
    settle: (reference, outcome = 'paid') => ledger.settle(reference, outcome),
    answerOf: (reference) => ledger.answerOf(reference),
  }
}

type Ordered = Pick<PaymentOrder, 'reference' | 'networkRef'>

type Unknown = Extract<NetworkAnswer, { type: 'unknown' }>

const lifeMs = 24 * 60 * 60 * 1000

function issuer(now: Clock): (request: SandboxQrRequest) => Promise<SandboxQr> {
  let issued = 0
  return async ({ merchantName, ...request }) => {
    const merchant = { name: merchantName ?? 'Comercio de Prueba', bankCode: sandboxBankCode(request.scenario) }
    const expiresAt = new Date(now().getTime() + lifeMs)
    const qr = { ...request, merchant, expiresAt }
    return { ...qr, content: writeContent(qr, ++issued) }
  }
}
