import { expect } from 'vitest'
import { builders, type Harness } from '@quipu/contracts'
import {
  createPayout,
  defaultPayoutSettings,
  defaultResumeSettings,
  resumePayout,
  usdt,
} from '@quipu/core'
import type { NetworkAnswer, PaymentOrder, PayoutCommit, QrRead } from '@quipu/core/adapter'
import { encodeEvent } from '@quipu/wire'
import { type GatedProcess, gatedProcess } from './gated-process.fixture.ts'
import type { OpenReplay, Wrap } from './open-replay.fixture.ts'
import {
  comparePayouts,
  price,
  type State,
  statusOf,
  type Report,
  transactionId,
  wallet,
} from './payout-state.fixture.ts'
import { start } from './stores.fixture.ts'

type Picks = {
  readonly p: string
  readonly ref: number
  readonly isAnswered: boolean
  readonly isHeard: boolean
}

const waitSeconds = 301
const passed = ['findForCreate', 'find', 'get', 'catchUp', 'record']

type Actions = Readonly<Record<string, (picks: Picks) => Promise<void>>>
type Context = Awaited<ReturnType<typeof openPayouts>>

type Process = {
  readonly gates: GatedProcess
  readonly create: ReturnType<typeof createPayout>
  readonly resume: ReturnType<typeof resumePayout>
}

/** The real use cases of payouts over these stores; each step of a trace is taken by them. */
export const payoutReplay: OpenReplay = async (world, wrap = (stores) => stores) => {
  const context = await openPayouts(world, wrap)
  const actions = { ...requestActions(context), ...workerActions(context), ...faults(context) }
  return async ({ action, picks, state }) => {
    const known = state as unknown as State
    const take = actions[action]
    if (!take) throw new Error(`the replay lacks ${action}`)
    await take(picks as unknown as Picks)
    for (const [ref, order] of known.orders) context.network.set(ref, order)
    await comparePayouts(context, known)
  }
}

async function openPayouts(world: Harness, wrap: Wrap) {
  const { ids, newWallet, newQuote } = builders(world)
  const tenantId = await newWallet(usdt(wallet))
  const tenant = await world.tenants.find(tenantId)
  if (!tenant) throw new Error('the tenant was just created')
  const quote = await newQuote(tenantId, { source: usdt(price), lifeSeconds: 1_000_000 })
  const { payouts, networkCalls } = wrap(world)
  const time = { now: start.getTime() }
  const processes = new Map<string, Process>()
  for (const name of ['api 1', 'api 2', 'worker 1', 'worker 2']) {
    const gates = gatedProcess(passed)
    const never = (): Promise<never> => Promise.reject(new Error('the test answers'))
    const ports = {
      payouts: gates.gate(payouts),
      networkCalls: gates.gate(networkCalls),
      network: {
        ...gates.gate({ pay: never, status: never, cancel: never }),
        readQr: () => Promise.resolve(reading),
      },
      ...{ encodeEvent, ids, timer: gates.timer },
      now: () => new Date(time.now),
      monotonic: () => time.now,
      raiseAlert: () => undefined,
      inBackground: () => undefined,
    }
    processes.set(name, {
      gates,
      create: createPayout(ports, defaultPayoutSettings),
      resume: resumePayout(ports, defaultResumeSettings),
    })
  }
  return {
    ...{ world, tenant, quote, payouts, time, processes },
    /** The ids of the payouts that requests tried to apply, by the model's references. */
    idOf: new Map<number, string>(),
    /** The processes whose order has left them. */
    sent: new Set<string>(),
    reported: [] as Report[],
    network: new Map<number, string>(),
  }
}

const reading: QrRead = {
  ...{ type: 'read', networkRef: 'nr', amountMode: 'open', amount: null, description: null },
  ...{ merchant: { name: 'm', bankCode: '1' }, expiresAt: null },
}
const allowed = (): Promise<boolean> => Promise.resolve(true)
const patient = { leftMs: () => 1_000_000_000 }

function processOf({ processes }: Context, name: string): Process {
  const found = processes.get(name)
  if (!found) throw new Error(`no process ${name}`)
  return found
}

function refOf({ idOf }: Context, id: unknown): number {
  for (const [ref, each] of idOf) if (each === id) return ref
  throw new Error(`no request applied ${String(id)}`)
}

/** The reference in a call to the network. */
const refIn = (context: Context, gates: GatedProcess, name: string): number => {
  const [first] = gates.argsOf(name) as [string | PaymentOrder]
  return refOf(context, typeof first === 'string' ? first : first.reference)
}

function answerAbout({ network, quote }: Context, ref: number, isHeard: boolean): NetworkAnswer {
  if (!isHeard) return { type: 'unknown', reason: 'the answer was lost' }
  const answers: Readonly<Record<string, NetworkAnswer>> = {
    Paid: { type: 'paid', amount: quote.target, paymentId: 'p' },
    Refused: { type: 'refused_payment' },
    Closed: { type: 'cancelled' },
    Pending: { type: 'late' },
  }
  return answers[network.get(ref) ?? ''] ?? { type: 'unknown', reason: 'no answer' }
}

async function begin(context: Context, { p }: Picks): Promise<void> {
  const { tenant, quote, reported } = context
  const { gates, create } = processOf(context, p)
  const request = { transactionId, quoteId: quote.id, content: 'a QR', description: null }
  await gates.start(
    () => create(tenant, { ...request, fingerprint: 'v1:body' }, allowed, patient),
    (answer) => {
      if (answer.type === 'refused') throw new Error(`refused: ${answer.code}`)
      reported.push({ ref: refOf(context, answer.payout.id), status: statusOf(answer.payout) })
    },
  )
}

function requestActions(context: Context): Actions {
  const { sent, idOf } = context
  const gatesOf = (p: string): GatedProcess => processOf(context, p).gates
  return {
    startsRequest: async (picks) => {
      await begin(context, picks)
      const [write] = gatesOf(picks.p).argsOf('commit') as [PayoutCommit]
      idOf.set(idOf.size + 1, write.step.payout.id)
    },
    repeatsRequest: (picks) => begin(context, picks),
    applies: ({ p, isAnswered }) => gatesOf(p)[isAnswered ? 'pass' : 'lose']('commit'),
    renewsBeforePaying: ({ p }) => gatesOf(p).pass('renew'),
    sendsOrder: async ({ p }) => void sent.add(p),
    cannotSendOrder: ({ p }) =>
      gatesOf(p).answer('pay', { type: 'not_sent', reason: 'connection refused' }),
    renewsWhileWaiting: async ({ p }) => {
      await gatesOf(p).wake()
      await gatesOf(p).pass('renew')
    },
    hearsOfOrder: async ({ p, isHeard }) => {
      sent.delete(p)
      const ref = refIn(context, gatesOf(p), 'pay')
      await gatesOf(p).answer('pay', answerAbout(context, ref, isHeard))
    },
    polls: ({ p }) => gatesOf(p).wake(),
  }
}

function workerActions(context: Context): Actions {
  const { network, payouts, idOf } = context
  const gatesOf = (p: string): GatedProcess => processOf(context, p).gates
  const isUnseen = (ref: number): boolean => (network.get(ref) ?? 'Unseen') === 'Unseen'
  return {
    claims: async ({ p, ref }) => {
      const { gates, resume } = processOf(context, p)
      const [claimed] = await payouts.claimDue(1, defaultPayoutSettings.leaseSeconds)
      if (!claimed) throw new Error('no payout is due')
      expect(claimed.payout.id).toBe(idOf.get(ref))
      await gates.start(
        () => resume(claimed),
        () => undefined,
      )
    },
    asksForStatus: async ({ p, isHeard }) => {
      const ref = refIn(context, gatesOf(p), 'status')
      const answer = answerAbout(context, ref, isHeard)
      await gatesOf(p).answer('status', isHeard && isUnseen(ref) ? { type: 'not_seen' } : answer)
    },
    extendsBeforeCancelling: ({ p }) => gatesOf(p).pass('renew'),
    cancelsReference: async ({ p, isHeard }) => {
      const ref = refIn(context, gatesOf(p), 'cancel')
      if (isUnseen(ref)) network.set(ref, 'Closed')
      await gatesOf(p).answer('cancel', answerAbout(context, ref, isHeard))
    },
    settles: ({ p, isAnswered }) => gatesOf(p)[isAnswered ? 'pass' : 'lose']('commit'),
    yields: ({ p }) => gatesOf(p).pass('yieldClaim'),
  }
}

const faults = (context: Context): Actions => ({
  crashes: async ({ p }) => {
    context.sent.delete(p)
    processOf(context, p).gates.crash()
  },
  timePasses: async () => {
    context.time.now += waitSeconds * 1000
    await context.world.advance(waitSeconds)
  },
  // The network is the model's: the code sees it by its answers only.
  orderArrives: async () => undefined,
  orderIsLost: async () => undefined,
  networkDecides: async () => undefined,
})
