import {
  type Bob,
  bob,
  type CreatePayout,
  createPayout,
  defaultPayoutSettings,
  defaultResumeSettings,
  type Incident,
  type Known,
  type NetworkAnswer,
  type PaymentOrder,
  type Payout,
  type PayoutRequest,
  type PayoutSettings,
  type PayoutStore,
  type QrNetwork,
  type QrRead,
  type QrRefused,
  type Quote,
  resumePayout,
  type Tenant,
  type Timer,
} from '@quipu/core'
import { someInstant, someQr } from './given.ts'
import type { World } from './harness.ts'
import { encodeForTest } from './encode-for-test.ts'

/** What a test can do to the network: its books, and how it reads and answers. */
export type ScriptedNetwork = QrNetwork & {
  readonly books: Map<string, { answer: NetworkAnswer; timesPaid: number }>
  readonly orders: PaymentOrder[]
  readonly readings: string[]
  readonly questions: string[]
  read: (content: string) => Promise<QrRead | QrRefused>
  /** Runs instead of answering `paid`; what it leaves in the books is what the network knows. */
  answer: (order: PaymentOrder) => Promise<NetworkAnswer>
  /** Enters a payment into the books, unless the reference was closed. */
  enter(reference: string, answer: NetworkAnswer): NetworkAnswer
}

/** Use cases on a world, with clock, timers and network in the test's hands. */
export type Rig = {
  readonly network: ScriptedNetwork
  readonly incidents: Incident[]
  /** Failures of work that went on after its answer. */
  readonly failures: unknown[]
  /** The store that the use cases see; a test may replace its methods. */
  readonly payouts: { -readonly [Name in keyof PayoutStore]: PayoutStore[Name] }
  request(quote: Quote, over?: Partial<PayoutRequest>): PayoutRequest
  readonly create: CreatePayout
  /** The payout of an answer that is one. */
  paid(tenant: Tenant, request: PayoutRequest): Promise<Payout>
  /** One round of one worker. */
  work(): Promise<readonly Payout[]>
  /** Steps all clocks second by second; what is due runs in between. */
  step(seconds: number): Promise<void>
  /** Waits until nothing moves any more without a step. */
  quiet(): Promise<void>
}

export function rig(world: World, settings: Partial<PayoutSettings> = {}): Rig {
  const time = { now: someInstant.getTime() }
  const waits = new Set<{ at: number; wake: () => void }>()
  const calls = new Set<Promise<unknown>>()
  const incidents: Incident[] = []
  const failures: unknown[] = []
  const network = scriptedNetwork()
  const payouts = tracked(
    clockedBy(() => time.now, world.payouts),
    calls,
  )
  const timer: Timer = (ms) => {
    const { promise: done, resolve } = Promise.withResolvers<void>()
    const wait = { at: time.now + ms, wake: resolve }
    waits.add(wait)
    return { done, cancel: () => void waits.delete(wait) }
  }
  const ports = {
    payouts,
    network,
    encodeEvent: encodeForTest,
    ids: world.ids,
    now: () => new Date(time.now),
    monotonic: () => time.now,
    timer,
    alarm: (incident: Incident) => void incidents.push(incident),
    inBackground: (work: Promise<unknown>) =>
      void work.catch((error: unknown) => failures.push(error)),
  }
  const create = createPayout(ports, { ...defaultPayoutSettings, ...settings })
  const resume = resumePayout(ports, defaultResumeSettings)

  async function quiet(): Promise<void> {
    for (let still = 0; still < 3; still++) {
      if (calls.size > 0) {
        await Promise.allSettled(calls)
        still = 0
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  return {
    network,
    incidents,
    failures,
    payouts,
    request: (quote, over = {}) => ({
      transactionId: `order-${quote.id}`,
      quoteId: quote.id,
      content: 'a QR',
      description: null,
      fingerprint: 'v1:body',
      ...over,
    }),
    create,
    paid: async (tenant, request) => {
      const answer = await create(tenant, request)
      if (answer.type === 'refused') throw new Error(`refused: ${answer.code}`)
      return answer.payout
    },
    work: async () => Promise.all((await payouts.claimDue(50, 15)).map(resume)),
    quiet,
    step: async (seconds) => {
      await quiet()
      for (let second = 0; second < seconds; second++) {
        time.now += 1000
        await world.advance(1)
        for (const wait of waits) {
          if (wait.at > time.now) continue
          waits.delete(wait)
          wait.wake()
        }
        await quiet()
      }
    },
  }
}

/** The store as if its clock were the rig's: they begin at different instants and step together. */
function clockedBy(now: () => number, store: PayoutStore): PayoutStore {
  const clocked = (known: Known | undefined): Known | undefined =>
    known && { ...known, ageMs: now() - known.payout.createdAt.getTime() }
  return {
    ...store,
    find: async (...given) => clocked(await store.find(...given)),
    findForCreate: async (...given) => {
      const found = await store.findForCreate(...given)
      return { ...found, known: clocked(found.known) }
    },
  }
}

/** The store's methods, each call remembered until it ends. */
function tracked(store: PayoutStore, calls: Set<Promise<unknown>>): Rig['payouts'] {
  const track = <T>(call: Promise<T>): Promise<T> => {
    calls.add(call)
    const forget = (): void => void calls.delete(call)
    call.then(forget, forget)
    return call
  }
  return {
    findForCreate: (...given) => track(store.findForCreate(...given)),
    find: (...given) => track(store.find(...given)),
    get: (...given) => track(store.get(...given)),
    list: (...given) => track(store.list(...given)),
    commit: (...given) => track(store.commit(...given)),
    renew: (...given) => track(store.renew(...given)),
    release: (...given) => track(store.release(...given)),
    claimDue: (...given) => track(store.claimDue(...given)),
    wake: (...given) => track(store.wake(...given)),
    catchUp: (...given) => track(store.catchUp(...given)),
  }
}

/** What a QR says: closed for BOB 100.00 unless told otherwise. */
export const reads = (
  amount: Bob | null = bob(10_000n),
  description: string | null = null,
): QrRead => ({
  ...someQr,
  type: 'read',
  networkRef: 'nr-1',
  amountMode: amount ? 'closed' : 'open',
  amount,
  description,
  expiresAt: null,
})

function scriptedNetwork(): ScriptedNetwork {
  const books: ScriptedNetwork['books'] = new Map()
  const network: ScriptedNetwork = {
    books,
    orders: [],
    readings: [],
    questions: [],
    read: async () => reads(),
    answer: async (order) =>
      network.enter(order.reference, { type: 'paid', amount: order.amount, paymentId: 'p' }),
    enter: (reference, answer) => {
      const known = books.get(reference)
      if (known?.answer.type === 'closed_unpaid') return known.answer
      books.set(reference, {
        answer,
        timesPaid: (known?.timesPaid ?? 0) + (answer.type === 'paid' ? 1 : 0),
      })
      return answer
    },
    readQr: (content) => {
      network.readings.push(content)
      return network.read(content)
    },
    pay: (order) => {
      network.orders.push(order)
      return network.answer(order)
    },
    status: async (reference) => {
      network.questions.push(reference)
      return books.get(reference)?.answer ?? { type: 'not_seen' }
    },
    close: async (reference) =>
      books.get(reference)?.answer ?? network.enter(reference, { type: 'closed_unpaid' }),
    liquidity: async () => ({ available: bob(0n), at: someInstant }),
    statement: async function* () {},
  }
  return network
}

/** A door that whoever comes to it waits at, until the test opens it. */
export function gate(): { reached: Promise<void>; open: () => void; pass: () => Promise<void> } {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  return {
    reached: reached.promise,
    open: opened.resolve,
    pass: () => {
      reached.resolve()
      return opened.promise
    },
  }
}
