import {
  type EventLoop,
  eventLoop,
  type NetworkLink,
  networkLink,
  type NetworkWithoutCancel,
  networkWithoutCancel,
} from '@quipu/contracts/simulation'
import type { Alert, Payout } from '@quipu/core'
import type { FinalPaymentOutcome } from '@quipu/core/adapter'
import { memoryQrNetwork, type MemoryQrNetwork } from '@quipu/memory'
import { linkedStores } from '../database/linked-stores.ts'
import type { DatabaseFaults, Executed } from '../database/database-link.ts'
import { type SimulatedDatabase, simulatedDatabase } from '../database/simulated-database.ts'
import type { NetworkKind } from '../../run/network-kind.ts'
import type { Plants } from '../plant/plants.ts'
import type { Release } from '../release/release.ts'
import type { Conditions, Scenario } from '../scenario/scenario.ts'
import { type SimulatedChain, simulatedChain } from './chain.ts'
import { operatorTokens, simulationStart } from './operators.ts'
import { type Receivers, receivers } from './receivers.ts'
import { newTenants, type TenantOfWorld } from './tenants.ts'

/** This release, and one that runs beside it. */
export type Releases = readonly [Release, Release?]

/** Everything outside of the processes. */
export type World = {
  readonly scenario: Scenario
  readonly loop: EventLoop
  /** The faults that are possible now. */
  conditions: Conditions
  /** The travel time of a message, in milliseconds. */
  messageMs(): number
  readonly database: SimulatedDatabase
  readonly databaseFaults: DatabaseFaults
  readonly qrNetwork: MemoryQrNetwork
  /** Between it and the record, of the kind `openhub` only. */
  readonly withoutCancel: NetworkWithoutCancel | undefined
  readonly network: NetworkLink
  readonly chain: SimulatedChain
  readonly receivers: Receivers
  readonly tenants: readonly TenantOfWorld[]
  readonly plants: Plants
  /** The releases of the processes: one release, or two side by side. */
  readonly releases: Releases
  /** The number of processes that were started. */
  started: number
  /** How many of them run the other release. */
  startedBeside: number
  /** The step of the rotation of the encryption keys at which processes start. */
  version: number
  /** Lengthens the pauses of workers' loops: most polls find nothing, and a seed takes as long as its polls. */
  loopPauses: number
  /** Whether the chain adds no more blocks. */
  hasChainStopped: boolean
  readonly alerts: Alert[]
  /** The breaches. The first one ends the run. */
  readonly violations: string[]
  /** Errors of a replaced primary, which a process may get when it has read on another server. */
  readonly replacedErrors: WeakSet<Error>
  onExecuted: (executed: Executed) => void
  /** The payouts that operators have settled, with the end that they decided. */
  readonly decided: Map<string, string>
  /** Called when an order has arrived at the network. */
  onOrder: (reference: string) => void
  onPaid: (reference: string) => void
  onAlert(alert: Alert): void
  onUnexpected(message: string, error: unknown): void
}

const minuteMs = 60_000

export async function newWorld(
  scenario: Scenario,
  { plants, releases, kind }: Pick<World, 'plants' | 'releases'> & { readonly kind: NetworkKind },
): Promise<World> {
  const { conditions } = scenario
  const loop = eventLoop(scenario.seed ^ Math.imul(scenario.order, 0x9e3779b1), simulationStart)
  const database = simulatedDatabase(loop, operatorTokens())
  const stores = linkedStores(database.stores, database.primary.execute)
  const tenants = await newTenants(stores, scenario.seed, loop)
  const chain = chainOf(loop, conditions, tenants)
  const latency = (longestMs: number): number => {
    if (longestMs === 0) return 0
    return loop.chance(0.01) ? loop.random() * 40_000 : loop.random() * longestMs
  }
  const qrNetwork = memoryQrNetwork({ now: loop.now, lateSeconds: null })
  const withoutCancel =
    kind === 'http'
      ? undefined
      : networkWithoutCancel({
          loop,
          record: qrNetwork,
          unpaidProof: scenario.seed % 2 === 0 ? 'people' : 'statement',
          onLateOrder: ({ reference }) => settleLater(reference),
        })
  const network = networkLink(loop, withoutCancel ?? qrNetwork, ({ reference }) => onOrder(reference))
  const seen = new Set<string>()
  function onOrder(reference: string): void {
    world.onOrder(reference)
    if (!seen.has(reference)) settleLater(reference)
    else if (qrNetwork.answerOf(reference)?.type === 'paid') world.onPaid(reference)
    seen.add(reference)
  }
  function settleLater(reference: string): void {
    if (qrNetwork.answerOf(reference)?.type === 'paid') world.onPaid(reference)
    loop.after(loop.random() * 3 * minuteMs, () => {
      qrNetwork.settle(reference, loop.pick(outcomes))
      if (qrNetwork.answerOf(reference)?.type === 'paid') world.onPaid(reference)
    })
  }
  database.standby.lagMs = () => Math.floor(loop.random() * world.conditions.lagMs)
  const world: World = {
    scenario,
    plants,
    releases,
    conditions,
    loop,
    database,
    qrNetwork,
    withoutCancel,
    network,
    chain,
    tenants,
    messageMs: () => latency(world.conditions.latencyMs),
    databaseFaults: {
      refused: conditions.databaseFaults,
      lost: conditions.databaseFaults,
      latencyMs: () => latency(Math.min(world.conditions.latencyMs, 1e3)),
      diskMs: () => 0,
      isFull: false,
    },
    ...nothingYet(),
    receivers: receivers(loop, conditions.receiverFaults),
    onAlert: (alert) => void world.alerts.push(alert),
    onUnexpected: (message, error) => {
      if (error instanceof Error && world.replacedErrors.has(error)) return
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
      world.violations.push(`unexpected error: ${message}: ${text}`)
    },
  }
  network.faults = conditions.networkFaults
  if (withoutCancel) withoutCancel.faults = conditions.networkFaults
  return world
}

/** The counts and records of a run, before its first event. */
const nothingYet = () => ({
  replacedErrors: new WeakSet<Error>(),
  decided: new Map<string, string>(),
  alerts: [],
  violations: [],
  started: 0,
  startedBeside: 0,
  version: 0,
  loopPauses: 2,
  hasChainStopped: false,
  onExecuted: () => undefined,
  onOrder: () => undefined,
  onPaid: () => undefined,
})

/** The chain, with a deposit of each tenant on its way. */
function chainOf(loop: EventLoop, conditions: Conditions, tenants: readonly TenantOfWorld[]): SimulatedChain {
  const accounts = tenants.map(({ topUp }) => topUp.account)
  const chain = simulatedChain(loop, conditions, accounts)
  for (const tenant of accounts.keys()) chain.send({ tenant, kind: 'normal', at: 0 })
  return chain
}

/** How often undecided payments end so. */
const weights: Readonly<Record<FinalPaymentOutcome, number>> = {
  paid: 3,
  refused_payment: 1,
  refused_qr: 1,
  limit: 1,
  no_liquidity: 1,
}
const outcomes = (Object.keys(weights) as FinalPaymentOutcome[]).flatMap((outcome) =>
  Array.from({ length: weights[outcome] }, () => outcome),
)

/** The payouts that no program can settle, as their alerts say. */
export const needingPeople = ({ alerts }: World): ReadonlySet<string> =>
  new Set(alerts.filter(({ code }) => code === 'NEEDS_OPERATOR').map(({ subject }) => subject))

/** Every payout of the primary. */
export async function allPayouts({ database, tenants }: World): Promise<readonly Payout[]> {
  const pages = await Promise.all(tenants.map(({ id }) => database.stores.payouts.list(id, { limit: 1_000 })))
  return pages.flatMap(({ items }) => items)
}
