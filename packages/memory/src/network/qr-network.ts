import {
  type Bob,
  bob,
  type Clock,
  type NetworkAnswer,
  type PaymentOrder,
  type QrNetwork,
  type SandboxQr,
  type SandboxQrIssuer,
  type SandboxQrRequest,
  Unavailable,
} from '@quipu/core'
import { networkDesk } from './order-intake.ts'
import { networkLedger, type Outcome } from './network-ledger.ts'
import { carry, type NetworkCall, type NetworkHooks } from './network-transport.ts'
import { type MemoryQr, readContent, writeContent } from './qr-content.ts'

export type MemoryQrNetworkOptions = {
  readonly now: Clock
  /** BOB to pay out of; ten million when absent. */
  readonly funds?: Bob
  /** After how long a late payment ends `paid`; never by itself when null. 3 s when absent. */
  readonly lateSeconds?: number | null
  /** What contents say that this network has not issued itself; undefined when unreadable. */
  readonly read?: (content: string) => MemoryQr | undefined
  readonly hooks?: NetworkHooks
}

/** A QR network with its own books, and the means to look into them. */
export type MemoryQrNetwork = Required<QrNetwork> &
  SandboxQrIssuer & {
    /** An order that arrives by itself, such as one that was given up as lost. */
    arrive(order: PaymentOrder): NetworkAnswer
    /** Ends a late payment now; `paid` when not said. Any other payment stays as it is. */
    settle(reference: string, outcome?: Outcome): void
    /** What the books say of a reference; undefined when nothing. */
    answerOf(reference: string): NetworkAnswer | undefined
  }

/** A QR network in this process's memory. It answers at once and moves nothing real. */
export function memoryQrNetwork(options: MemoryQrNetworkOptions): MemoryQrNetwork {
  const { now, funds = bob(1_000_000_000n), lateSeconds = 3, hooks = {} } = options
  const ledger = networkLedger({ now, funds, lateSeconds })
  const desk = networkDesk({
    now,
    ledger,
    decode: (content) => readContent(content) ?? options.read?.(content),
    paying: (order) => hooks.paying?.(order) ?? order.amount,
  })

  /** Only an order can be provably not sent: of a question without an answer nothing follows. */
  async function ask<T>(call: NetworkCall, act: () => T): Promise<T | Unknown> {
    const carried = await carry(hooks, call, act)
    return carried.type === 'answered' ? carried.answer : { ...carried, type: 'unknown' }
  }

  return {
    readQr: async (content, signal) => {
      const answer = await ask({ type: 'read', content }, () => desk.read(content))
      if (signal.aborted) throw new Unavailable('qr_network', 'called off')
      if (answer.type === 'unknown') throw new Unavailable('qr_network', answer.reason)
      return answer
    },
    pay: async (order) => {
      const carried = await carry(hooks, { type: 'pay', order }, () => desk.order(order))
      return carried.type === 'answered' ? carried.answer : carried
    },
    status: (reference) =>
      ask({ type: 'status', reference }, () => ledger.answerOf(reference) ?? { type: 'not_seen' }),
    cancel: (reference) => ask({ type: 'close', reference }, () => ledger.close(reference)),
    liquidity: async () => ({ available: ledger.available(), at: now() }),
    async *statement(from, to) {
      yield* ledger.payments().filter(({ paidAt }) => paidAt >= from && paidAt <= to)
    },
    issue: issuer(now),
    arrive: (order) => desk.order(order),
    settle: (reference, outcome = 'paid') => ledger.settle(reference, outcome),
    answerOf: (reference) => ledger.answerOf(reference),
  }
}

type Unknown = Extract<NetworkAnswer, { type: 'unknown' }>

const lifeMs = 24 * 60 * 60 * 1000

function issuer(now: Clock): (request: SandboxQrRequest) => Promise<SandboxQr> {
  let issued = 0
  return async ({ merchantName, ...request }) => {
    const merchant = { name: merchantName ?? 'Comercio de Prueba', bankCode: '1016' }
    const expiresAt = new Date(now().getTime() + lifeMs)
    const qr = { ...request, merchant, expiresAt }
    return { ...qr, content: writeContent(qr, ++issued) }
  }
}
