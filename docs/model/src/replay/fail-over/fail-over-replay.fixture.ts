import { builders } from '@quipu/contracts'
import { type EventLoop, eventLoop } from '@quipu/contracts/simulation'
import {
  createPayout,
  defaultPayoutSettings,
  defaultResumeSettings,
  resumePayout,
  type Quote,
  type Tenant,
  usdt,
} from '@quipu/core'
import type { QrRead } from '@quipu/core/adapter'
import { encodeEvent } from '@quipu/wire'
import type { TraceStep } from '../../quint.fixture.ts'
import { gatedProcess } from '../gated-process.fixture.ts'
import { price, type Report, statusOf, transactionId, wallet } from '../payout-state.fixture.ts'
import { start } from '../stores.fixture.ts'
import { actions } from './actions.fixture.ts'
import { compareFailOver } from './compare.fixture.ts'
import type { Context, Process } from './context.fixture.ts'
import { type FailOverDatabase, failOverDatabase } from './database.fixture.ts'
import { payoutsOf, type SessionStore } from './sessions.fixture.ts'
import { type State, worker } from './model-state.fixture.ts'
import { refOf } from './words.fixture.ts'

/**
 * Changes the payouts of a process: a test plants a fault with it.
 *
 * @param latest  reads what is visible, and does not confirm it
 */
export type WrapPayouts = (payouts: SessionStore, latest: SessionStore) => SessionStore

/** The real use cases over a primary and its standby. @returns takes one step of a trace, and compares the states */
export async function failOverReplay(
  wrap: WrapPayouts = (payouts) => payouts,
): Promise<(step: TraceStep) => Promise<void>> {
  const context = await openReplay(wrap)
  return async ({ action, picks, state }) => {
    const known = state as unknown as State
    const take = actions[action]
    if (!take) throw new Error(`the replay lacks ${action}`)
    const { p = '', place = 0 } = picks as { readonly p?: string; readonly place?: number }
    await take(context, { p, place, state: known })
    await compareFailOver(context, known)
  }
}

async function openReplay(wrap: WrapPayouts): Promise<Context> {
  const loop = eventLoop(1, start)
  const made: { tenant?: Tenant | undefined; quote?: Quote } = {}
  const database = await failOverDatabase(loop, async (stores) => {
    const { newWallet, newQuote } = builders(stores)
    const tenantId = await newWallet(usdt(wallet))
    made.tenant = await stores.tenants.find(tenantId)
    made.quote = await newQuote(tenantId, { source: usdt(price), lifeSeconds: 1_000_000 })
  })
  const { tenant, quote } = made
  if (!tenant || !quote) throw new Error('the tenant and its quote were just created')
  const processes = new Map<string, Process>()
  const context: Context = {
    ...{ database, tenantId: tenant.id, quote, processes, idOf: new Map(), reported: [] },
    ...{ orders: new Set(), cancels: new Set(), sent: new Set() },
  }
  const { ids } = builders(database.stores)
  const opening: Opening = { context, loop, tenant, ids, wrap }
  for (const name of ['api 1', 'api 2']) processes.set(name, openApi(opening))
  processes.set(worker, openWorker(opening))
  return context
}

type Opening = {
  readonly context: Context
  readonly loop: EventLoop
  readonly tenant: Tenant
  readonly ids: ReturnType<typeof builders>['ids']
  readonly wrap: WrapPayouts
}

const reading: QrRead = {
  ...{ type: 'read', networkRef: 'nr', amountMode: 'open', amount: null, description: null },
  ...{ merchant: { name: 'm', bankCode: '1' }, expiresAt: null },
}
/** The model has no leases: repeated requests do not wait for the end of one, and a claim comes after it. */
const settings = { ...defaultPayoutSettings, answerWithinMs: 1 }
const [pauseMs, waitMs] = [1_000, 301_000]
const never = (): Promise<never> => Promise.reject(new Error('the test answers'))

/** The ports of a process: its waits for the database, its calls to the network and its reports are gates. */
function openPorts({ context, loop, ids, wrap }: Opening) {
  const { database, reported } = context
  const gates = gatedProcess([])
  const { report } = gates.gate({
    report: async (state: Report) => void reported.push(state),
  })
  const payouts = payoutsOf(database, gates)
  const ports = {
    payouts: wrap(payouts, { ...payouts, ...latestOf(database) }),
    networkCalls: { record: () => Promise.resolve() },
    network: {
      ...gates.gate({ pay: never, status: never, cancel: never }),
      readQr: () => Promise.resolve(reading),
    },
    ...{ encodeEvent, ids, timer: gates.timer, now: loop.now, monotonic: () => 0 },
    raiseAlert: () => undefined,
    inBackground: () => undefined,
  }
  return { gates, ports, report }
}

const latestOf = ({ stores: { payouts } }: FailOverDatabase) => ({
  findForCreate: payouts.findForCreate,
  find: payouts.find,
  get: payouts.get,
})

function openApi(opening: Opening): Process {
  const { context, loop, tenant } = opening
  const { gates, ports, report } = openPorts(opening)
  const create = createPayout(ports, settings)
  const about = { transactionId, quoteId: context.quote.id, content: 'a QR', description: null }
  const patient = { leftMs: () => 1_000_000_000 }
  const allowed = (): Promise<boolean> => Promise.resolve(true)
  const request = async (): Promise<void> => {
    const answer = await create(tenant, { ...about, fingerprint: 'v1:body' }, allowed, patient)
    if (answer.type === 'refused') throw new Error(`refused: ${answer.code}`)
    const { payout } = answer
    await report({ ref: refOf(context, payout.id), status: statusOf(payout) })
  }
  return {
    gates,
    begin: async () => {
      await loop.run(pauseMs)
      await gates.start(request, () => undefined)
    },
  }
}

function openWorker(opening: Opening): Process {
  const { context, loop } = opening
  const { gates, ports, report } = openPorts(opening)
  const resume = resumePayout(ports, defaultResumeSettings)
  const work = async (): Promise<void> => {
    const [claimed] = await ports.payouts.claimDue(1, defaultResumeSettings.leaseSeconds)
    if (!claimed) throw new Error('no payout is due')
    const payout = await resume(claimed)
    // The tenant hears of an ended payout by its event.
    if (payout.status === 'processing') return
    await report({ ref: refOf(context, payout.id), status: statusOf(payout) })
  }
  return {
    gates,
    begin: async () => {
      await loop.run(waitMs)
      await gates.start(work, () => undefined)
    },
  }
}
