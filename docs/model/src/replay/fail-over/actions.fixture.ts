import { expect } from 'vitest'
import type { NetworkAnswer, PayoutCommit } from '@quipu/core/adapter'
import type { GatedProcess } from '../gated-process.fixture.ts'
import type { Context, Process } from './context.fixture.ts'
import type { State } from './model-state.fixture.ts'
import { refOf, referenceIn } from './words.fixture.ts'

type Picks = {
  /** The process that takes the step. */
  readonly p: string
  /** The place in the log of the session that ends. */
  readonly place: number
  /** The state of the model after the step. */
  readonly state: State
}
type Action = (context: Context, picks: Picks) => Promise<void>

function processOf({ processes }: Context, p: string): Process {
  const found = processes.get(p)
  if (!found) throw new Error(`no process ${p}`)
  return found
}
const gatesOf = (context: Context, p: string): GatedProcess => processOf(context, p).gates

/** A request or a claim. An apply has the next reference of the model. */
const begins: Action = async (context, { p }) => {
  const { database, idOf } = context
  const before = database.log().length
  await processOf(context, p).begin()
  const { entry } = database.log()[before] ?? {}
  if (entry?.method.name !== 'commit') return
  const [{ kind, step }] = entry.args.first as [PayoutCommit]
  if (kind === 'apply') idOf.set(idOf.size + 1, step.payout.id)
}

/** The waiting call to the network, and its reference. */
function callIn(context: Context, gates: GatedProcess) {
  const name = ['pay', 'status', 'cancel'].find((each) => gates.waiting().includes(each)) ?? 'pay'
  return { name, ref: refOf(context, referenceIn(gates.argsOf(name)[0])) }
}

const unknown: NetworkAnswer = { type: 'unknown', reason: 'no answer in time' }

/** The network's final answer; that it has not seen the order, or nothing in time. */
function answers(otherwise: NetworkAnswer | { readonly type: 'not_seen' }): Action {
  return async (context, { p, state }) => {
    const gates = gatesOf(context, p)
    const { name, ref } = callIn(context, gates)
    const paid = { type: 'paid', amount: context.quote.target, paymentId: 'p' } as const
    const isCancelled = state.cancelled.includes(ref)
    const answer = isCancelled ? { type: 'cancelled' } : otherwise
    context.sent.delete(p)
    await gates.answer(name, state.paid.includes(ref) ? paid : answer)
  }
}
const hearsNothing: Action = async (context, { p }) => {
  const gates = gatesOf(context, p)
  context.sent.delete(p)
  await gates.answer(callIn(context, gates).name, unknown)
}

/** These commits are visible, and the processes that wait with one of them have lost its answer. */
async function ends(context: Context, places: readonly number[]): Promise<void> {
  for (const { gates } of context.processes.values()) {
    const [place] = gates.argsOf('acknowledged')
    if (places.includes(place as number)) await gates.fail('acknowledged')
  }
}

const ofProcesses: Readonly<Record<string, Action>> = {
  'Idle → Waiting': begins,
  'Idle → Read': begins,
  'Lost → Read': begins,
  'Lost → Idle': async () => undefined,
  'Waiting → Durable': async (context, { p }) => {
    const gates = gatesOf(context, p)
    expect(context.database.replicated()).toBeGreaterThan(gates.argsOf('acknowledged')[0] as number)
    await gates.pass('acknowledged')
  },
  // Its wait was cancelled if the commit is visible. Otherwise its session still waits.
  'Waiting → Lost': async (context, { p, state }) => {
    const gates = gatesOf(context, p)
    const place = gates.argsOf('acknowledged')[0] as number
    if (state.visible.includes(place)) context.database.show([place])
    await gates.fail('acknowledged')
  },
  'Read → Waiting': (context, { p }) => gatesOf(context, p).pass('confirm'),
  'Read → Lost': (context, { p }) => gatesOf(context, p).pass('confirm'),
  'Durable → Idle': async (context, picks) => {
    const gates = gatesOf(context, picks.p)
    if (gates.waiting().includes('status')) await hearsNothing(context, picks)
    else await gates.pass('report')
  },
  'Durable → Requested': async (context, { p }) => {
    const { name, ref } = callIn(context, gatesOf(context, p))
    context.sent.add(p)
    context[name === 'pay' ? 'orders' : 'cancels'].add(ref)
  },
  // Only a worker asks for the status.
  'Durable → Waiting': answers({ type: 'not_seen' }),
  'Requested → Waiting': answers(unknown),
  'Requested → Read': answers(unknown),
  'Requested → Durable': hearsNothing,
  'Requested → Idle': hearsNothing,
}

const ofTheDatabase: Readonly<Record<string, Action>> = {
  standbyReceives: async ({ database }) => database.receive(),
  standbyStallsOrGoesOn: async ({ database }) => database.stallOrGoOn(),
  sessionEnds: async (context, { place }) => {
    context.database.show([place])
    await ends(context, [place])
  },
  primaryRestarts: async (context) => {
    const places = Array.from(context.database.log().keys())
    context.database.restart()
    await ends(context, places)
  },
  standbyIsPromoted: async (context) => {
    const places = Array.from(context.database.log().keys())
    context.database.promote()
    await ends(context, places)
  },
}

/** What the steps of `fail-over.qnt` are in the code, by the names of `namedSteps`. */
export const actions: Readonly<Record<string, Action>> = {
  ...ofProcesses,
  ...ofTheDatabase,
  // The network is the model's: the code sees it by its answers only.
  networkPays: async () => undefined,
}
