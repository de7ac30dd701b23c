import {
  type CreatePayout,
  createPayout,
  defaultPayoutSettings,
  defaultResumeSettings,
  idSource,
  type Alert,
  type PayoutAnswer,
  type PayoutRequest,
  resumePayout,
  type Stores,
  type Tenant,
  Unavailable,
  usdt,
} from '@quipu/core'
import type { FinalPaymentOutcome, PaymentOrder } from '@quipu/core/adapter'
import { countingBytes, builders, type Builders } from '../../fixtures/builders.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { type EventLoop, eventLoop } from '../event-loop.ts'
import { type Machine, simulatedMachine, type Faults } from '../machine.ts'
import { type NetworkLink, networkLink } from './network-link.ts'
import { type NetworkWithoutCancel, networkWithoutCancel } from './network-without-cancel.ts'
import { newOffer, requestOf } from './offers.ts'
import type { Scenario } from './scenario.ts'
import type { OpenSimulatedWorld, SimulatedWorld } from './simulated-world.ts'
import { encodeForTest } from '../../fixtures/encode-for-test.ts'

/** The final state of a run. */
export type SimulationResult = {
  readonly world: SimulatedWorld
  readonly tenant: Tenant
  readonly scenario: Scenario
  readonly link: NetworkLink
  /** Undefined when the network can cancel. */
  readonly withoutCancel: NetworkWithoutCancel | undefined
  readonly alerts: readonly Alert[]
  /** Errors other than `Unavailable`. */
  readonly unexpectedErrors: readonly unknown[]
  /** The answers to clients during the run. */
  readonly answers: readonly Answered[]
  /** The answers to a repeat of every request at the end. */
  readonly lastAnswers: readonly Answered[]
}
export type Answered = { readonly request: PayoutRequest; readonly answer: PayoutAnswer }

const minute = 60_000

/**
 * Runs a scenario: minutes of requests, faults and crashes, then time without faults until every payout is
 * settled, then every request once more.
 */
export async function runScenario(scenario: Scenario, open: OpenSimulatedWorld): Promise<SimulationResult> {
  const loop = eventLoop(scenario.seed, someInstant)
  const world = open(loop.now)
  const setup = await setUp(loop, world, scenario)
  const { link, faults } = setup
  const apis = [startApi(setup), startApi(setup)]
  const workers = [startWorker(setup), startWorker(setup)]

  const answers: Answered[] = []
  for (const { at, request } of setup.requests) {
    loop.after(at, () => void client(setup, apis, request, answers))
  }
  for (const at of scenario.crashes) {
    loop.after(at, () => {
      if (loop.chance(0.6)) restart(loop, apis, () => startApi(setup))
      else restart(loop, workers, () => startWorker(setup))
    })
  }
  await loop.run(3 * minute)
  Object.assign(faults, { storeFaults: 0, latency: () => 0, pollMs: 15_000 })
  link.faults = 0
  if (setup.withoutCancel) setup.withoutCancel.faults = 0
  await loop.run(90 * minute) // A proof by the statement takes up to an hour.
  const lastAnswers: Answered[] = []
  for (const { request } of setup.requests) void client(setup, apis, request, lastAnswers)
  await loop.run(minute)
  return { ...setup, scenario, answers, lastAnswers }
}

type Setup = {
  readonly loop: EventLoop
  readonly faults: Faults & { pollMs: number }
  readonly world: SimulatedWorld
  readonly link: NetworkLink
  readonly withoutCancel: NetworkWithoutCancel | undefined
  readonly tenant: Tenant
  readonly ids: Builders['ids']
  readonly requests: readonly { readonly at: number; readonly request: PayoutRequest }[]
  readonly alerts: Alert[]
  readonly unexpectedErrors: unknown[]
}

async function setUp(loop: EventLoop, world: SimulatedWorld, scenario: Scenario): Promise<Setup> {
  const data = builders(world.stores)
  const tenantId = await data.newWallet(usdt(scenario.funds))
  const tenant = await world.stores.tenants.find(tenantId)
  if (tenant === undefined) throw new Error('the tenant was just created')
  const offers = await Promise.all(scenario.quotes.map((quote, index) => newOffer(world, data, tenantId, quote, index)))
  const seen = new Set<string>()
  /** Settles a late payment some minutes after the network has received it. */
  const settleLater = ({ reference }: PaymentOrder): void => {
    const outcome = loop.pick<FinalPaymentOutcome>(['paid', 'paid', 'refused_payment', 'refused_qr', 'limit'])
    loop.after(loop.random() * 10 * minute, () => world.settle(reference, outcome))
  }
  const onOrder = (order: PaymentOrder): void => {
    if (!seen.has(order.reference)) settleLater(order)
    seen.add(order.reference)
  }
  const { unpaidProof, networkFaults } = scenario
  const withoutCancel =
    unpaidProof === 'cancel'
      ? undefined
      : networkWithoutCancel({ loop, record: world.network, unpaidProof, onLateOrder: settleLater })
  if (withoutCancel) withoutCancel.faults = networkFaults
  const link = networkLink(loop, withoutCancel ?? world.network, onOrder)
  link.faults = networkFaults
  const latency = (): number => (loop.chance(0.02) ? loop.random() * 40_000 : loop.random() * scenario.latencyMs)
  return {
    loop,
    world,
    tenant,
    link,
    withoutCancel,
    faults: { storeFaults: scenario.storeFaults, latency, pollMs: 1_500 },
    ids: idSource(countingBytes()),
    requests: scenario.requests.map((each) => ({ at: each.at, request: requestOf(each, offers) })),
    alerts: [],
    unexpectedErrors: [],
  }
}

type Period = Parameters<Stores['reconciliations']['completedPayments']>[0]
type Running = { readonly machine: Machine }
type Api = Running & { readonly create: CreatePayout }

function boot(setup: Setup) {
  const { loop, faults, link, world, ids, alerts } = setup
  const machine = simulatedMachine(loop, faults, Math.floor((loop.random() - 0.5) * 4_000))
  const completed = machine.remote((period: Period) => listed(world.stores.reconciliations.completedPayments(period)))
  const ports = {
    payouts: machine.store(world.stores.payouts),
    networkCalls: machine.store(world.stores.networkCalls),
    networks: machine.store(world.stores.networks),
    differences: machine.store(world.stores.differences),
    reconciliations: {
      async *completedPayments(period: Period) {
        yield* await completed(period)
      },
    },
    network: link.from(machine),
    encodeEvent: encodeForTest,
    ids,
    now: machine.now,
    monotonic: machine.monotonic,
    timer: machine.timer,
    raiseAlert: (alert: Alert) => void alerts.push(alert),
    inBackground: (work: Promise<unknown>) => void work.catch(noteUnexpected(setup)),
  }
  return { machine, ports }
}

async function listed<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

function startApi(setup: Setup): Api {
  const { machine, ports } = boot(setup)
  return { machine, create: createPayout(ports, defaultPayoutSettings) }
}

function startWorker(setup: Setup): Running {
  const { machine, ports } = boot(setup)
  const { leaseSeconds } = defaultPayoutSettings
  const resume = resumePayout(ports, { ...defaultResumeSettings, leaseSeconds })
  const work = async (): Promise<void> => {
    for (;;) {
      const due = await ports.payouts.claimDue(3, leaseSeconds).catch((error: unknown) => {
        noteUnexpected(setup)(error)
        return []
      })
      await Promise.all(due.map((each) => resume(each).catch(noteUnexpected(setup))))
      await machine.timer(setup.faults.pollMs * (0.5 + setup.loop.random())).done
    }
  }
  void work()
  return { machine }
}

function restart<T extends Running>(loop: EventLoop, running: T[], start: () => T): void {
  const index = Math.floor(loop.random() * running.length)
  running[index]?.machine.crash()
  running[index] = start()
}

/** Sends a request to random machines until one answers, at most four times. */
async function client(setup: Setup, apis: readonly Api[], request: PayoutRequest, answers: Answered[]): Promise<void> {
  const { loop, tenant } = setup
  for (let tries = 0; tries < 4; tries++) {
    const { create, machine } = loop.pick(apis)
    try {
      const answer = await Promise.race([create(tenant, request), machine.died])
      answers.push({ request, answer })
      return
    } catch (error) {
      noteUnexpected(setup)(error)
      await new Promise<void>((resolve) => void loop.after(loop.random() * 5_000, resolve))
    }
  }
}

/** Collects errors other than `Unavailable`, which faults cause. */
const noteUnexpected =
  ({ unexpectedErrors }: Setup) =>
  (error: unknown): void => {
    if (!(error instanceof Unavailable)) unexpectedErrors.push(error)
  }
