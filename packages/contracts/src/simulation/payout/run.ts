import {
  bob,
  type Clock,
  type CreatePayout,
  createPayout,
  defaultPayoutSettings,
  defaultResumeSettings,
  idSource,
  type Alert,
  type PaymentOrder,
  type PayoutAnswer,
  type PayoutRequest,
  type QrNetwork,
  type Quote,
  resumePayout,
  type SandboxQrIssuer,
  sha256,
  type Stores,
  type Tenant,
  Unavailable,
  usdt,
} from '@quipu/core'
import { counter, given, type Given, someInstant } from '../../fixtures/builders.ts'
import { type Loop, simulationLoop } from '../event-loop.ts'
import { type Machine, simulatedMachine, type Weather } from '../machine.ts'
import { type NetworkLink, networkLink } from './network-link.ts'
import type { Content, QuoteStory, RequestStory, Story } from './scenario.ts'
import { encodeForTest } from '../../fixtures/encode-for-test.ts'

/** How a late payment can end. */
export type LateEnd = 'paid' | 'refused_payment' | 'refused_qr' | 'no_liquidity' | 'limit'

/** Stores and a network that live in the simulation’s time. Late payments end by `settle` alone. */
export type SimulatedWorld = {
  readonly stores: Stores
  readonly network: Required<QrNetwork>
  readonly issuer: SandboxQrIssuer
  settle(reference: string, outcome: LateEnd): void
}
export type OpenSimulatedWorld = (now: Clock) => SimulatedWorld

/** What came of a story. */
export type Outcome = {
  readonly world: SimulatedWorld
  readonly tenant: Tenant
  readonly story: Story
  readonly link: NetworkLink
  readonly alerts: readonly Alert[]
  /** Errors that no port may throw. */
  readonly bugs: readonly unknown[]
  /** What clients were answered while it went on. */
  readonly answers: readonly Answered[]
  /** What every request was answered once more when all was over. */
  readonly lastAnswers: readonly Answered[]
}
export type Answered = { readonly request: PayoutRequest; readonly answer: PayoutAnswer }

const minute = 60_000

/**
 * Plays a story to its end: minutes of requests, faults and crashes, then fair weather until
 * everything has been found out, then every request once more.
 */
export async function play(story: Story, open: OpenSimulatedWorld): Promise<Outcome> {
  const loop = simulationLoop(story.seed, someInstant)
  const world = open(loop.now)
  const stage = await setStage(loop, world, story)
  const { link, weather } = stage
  const apis = [startApi(stage), startApi(stage)]
  const workers = [startWorker(stage), startWorker(stage)]

  const answers: Answered[] = []
  for (const { at, request } of stage.requests) {
    loop.after(at, () => void client(stage, apis, request, answers))
  }
  for (const at of story.crashes) {
    loop.after(at, () => {
      if (loop.chance(0.6)) restart(loop, apis, () => startApi(stage))
      else restart(loop, workers, () => startWorker(stage))
    })
  }
  await loop.run(3 * minute)
  Object.assign(weather, { storeFaults: 0, latency: () => 0, pollMs: 15_000 })
  link.faults = 0
  await loop.run(45 * minute)
  const lastAnswers: Answered[] = []
  for (const { request } of stage.requests) void client(stage, apis, request, lastAnswers)
  await loop.run(minute)
  return { ...stage, story, answers, lastAnswers }
}

type Stage = {
  readonly loop: Loop
  readonly weather: Weather & { pollMs: number }
  readonly world: SimulatedWorld
  readonly link: NetworkLink
  readonly tenant: Tenant
  readonly ids: Given['ids']
  readonly requests: readonly { readonly at: number; readonly request: PayoutRequest }[]
  readonly alerts: Alert[]
  readonly bugs: unknown[]
}

async function setStage(loop: Loop, world: SimulatedWorld, story: Story): Promise<Stage> {
  const data = given(world.stores)
  const tenantId = await data.newWallet(usdt(story.funds))
  const tenant = await world.stores.tenants.find(tenantId)
  if (tenant === undefined) throw new Error('the tenant was just created')
  const offers = await Promise.all(
    story.quotes.map((quote, index) => makeOffer(world, data, tenantId, quote, index)),
  )
  const seen = new Set<string>()
  /** A late payment ends some minutes after the network has taken it. */
  const onOrder = ({ reference }: PaymentOrder): void => {
    if (seen.has(reference)) return
    seen.add(reference)
    const outcome = loop.pick<LateEnd>(['paid', 'paid', 'refused_payment', 'refused_qr', 'limit'])
    loop.after(loop.random() * 10 * minute, () => world.settle(reference, outcome))
  }
  const link = networkLink(loop, world.network, onOrder)
  link.faults = story.networkFaults
  const latency = (): number =>
    loop.chance(0.02) ? loop.random() * 40_000 : loop.random() * story.latencyMs
  return {
    loop,
    world,
    tenant,
    link,
    weather: { storeFaults: story.storeFaults, latency, pollMs: 1_500 },
    ids: idSource(counter()),
    requests: story.requests.map((each) => ({ at: each.at, request: requestOf(each, offers) })),
    alerts: [],
    bugs: [],
  }
}

type Offer = { readonly quote: Quote; readonly contents: Readonly<Record<Content, string>> }

async function makeOffer(
  { issuer, network, stores }: SimulatedWorld,
  { ids, newQuote }: Given,
  tenantId: string,
  story: QuoteStory,
  index: number,
): Promise<Offer> {
  const target = bob(BigInt(10_000 + index))
  const issue = async (amount: typeof target | null) => {
    const amountMode = amount === null ? 'open' : 'closed'
    const { scenario } = story
    const qr = { amountMode, amount, merchantName: null, description: null, scenario } as const
    return (await issuer.issue(qr)).content
  }
  const right = await issue(story.isOpen ? null : target)
  const contents = { right, other_amount: await issue(bob(77n)), junk: 'not a QR' }
  const wish = { source: usdt(story.source), target, lifeSeconds: story.lifeSeconds }
  if (!story.isResolved) return { quote: await newQuote(tenantId, wish), contents }
  const read = await network.readQr(right, new AbortController().signal)
  if (read.type === 'refused_qr') throw new Error('the network has just issued this QR')
  const { type: _, ...says } = read
  const id = ids.next('qrr', someInstant)
  const resolution = { ...says, id, tenantId, contentHash: sha256(right), createdAt: someInstant }
  await stores.resolutions.insert(resolution)
  return { quote: await newQuote(tenantId, { ...wish, resolutionId: id }), contents }
}

function requestOf(story: RequestStory, offers: readonly Offer[]): PayoutRequest {
  const offer = offers[story.quote]
  if (offer === undefined) throw new Error('no such quote')
  return {
    transactionId: `tx-${story.transaction}`,
    quoteId: offer.quote.id,
    content: offer.contents[story.content],
    description: null,
    fingerprint: `v1:${story.quote}:${story.content}`,
  }
}

type Running = { readonly machine: Machine }
type Api = Running & { readonly create: CreatePayout }

function boot(stage: Stage) {
  const { loop, weather, link, world, ids, alerts } = stage
  const machine = simulatedMachine(loop, weather, Math.floor((loop.random() - 0.5) * 4_000))
  const ports = {
    payouts: machine.store(world.stores.payouts),
    network: link.from(machine),
    encodeEvent: encodeForTest,
    ids,
    now: machine.now,
    monotonic: machine.monotonic,
    timer: machine.timer,
    raiseAlert: (alert: Alert) => void alerts.push(alert),
    inBackground: (work: Promise<unknown>) => void work.catch(note(stage)),
  }
  return { machine, ports }
}

function startApi(stage: Stage): Api {
  const { machine, ports } = boot(stage)
  return { machine, create: createPayout(ports, defaultPayoutSettings) }
}

function startWorker(stage: Stage): Running {
  const { machine, ports } = boot(stage)
  const { leaseSeconds } = defaultPayoutSettings
  const resume = resumePayout(ports, { ...defaultResumeSettings, leaseSeconds })
  const work = async (): Promise<void> => {
    for (;;) {
      const due = await ports.payouts.claimDue(3, leaseSeconds).catch((error: unknown) => {
        note(stage)(error)
        return []
      })
      await Promise.all(due.map((each) => resume(each).catch(note(stage))))
      await machine.timer(stage.weather.pollMs * (0.5 + stage.loop.random())).done
    }
  }
  void work()
  return { machine }
}

function restart<T extends Running>(loop: Loop, running: T[], start: () => T): void {
  const index = Math.floor(loop.random() * running.length)
  running[index]?.machine.crash()
  running[index] = start()
}

/** Sends a request until it is answered, to any machine, and gives up after four times. */
async function client(
  stage: Stage,
  apis: readonly Api[],
  request: PayoutRequest,
  answers: Answered[],
): Promise<void> {
  const { loop, tenant } = stage
  for (let tries = 0; tries < 4; tries++) {
    const { create, machine } = loop.pick(apis)
    try {
      const answer = await Promise.race([create(tenant, request), machine.died])
      answers.push({ request, answer })
      return
    } catch (error) {
      note(stage)(error)
      await new Promise<void>((resolve) => void loop.after(loop.random() * 5_000, resolve))
    }
  }
}

/** An unavailable port is part of the story; every other error is a bug. */
const note =
  ({ bugs }: Stage) =>
  (error: unknown): void => {
    if (!(error instanceof Unavailable)) bugs.push(error)
  }
