import {
  type EventLoop,
  eventLoop,
  type Faults,
  mulberry32,
  type NetworkLink,
  networkLink,
} from '@quipu/contracts/simulation'
import {
  type Alert,
  ensureTopUpAddress,
  idSource,
  type Payout,
  type Stores,
  type TopUpAddress,
  type Usdt,
  usdt,
} from '@quipu/core'
import type { FinalPaymentOutcome } from '@quipu/core/adapter'
import {
  defaultProposalSettings,
  type ManageApiKeys,
  manageApiKeys,
  manageProposals,
  type ManageProposalsPorts,
  manageTenants,
} from '@quipu/core/operator'
import { memoryQrNetwork, type MemoryQrNetwork } from '@quipu/memory'
import { tronAddresses } from '@quipu/tron'
import { encodeEvent } from '@quipu/wire'
import { type DatabaseFaults, type Executed, linkedStores } from '../database/database-link.ts'
import { type SimulatedDatabase, simulatedDatabase } from '../database/simulated-database.ts'
import type { Plants } from '../plant/plants.ts'
import type { Conditions, Scenario } from '../scenario/scenario.ts'
import { type SimulatedChain, simulatedChain } from './chain.ts'
import { ana, ben, operatorTokens, simulationStart } from './operators.ts'
import { type Receivers, receivers } from './receivers.ts'
import { settingsOf, xpub } from './settings.ts'

/** A tenant as its client knows it. */
export type TenantOfWorld = {
  readonly id: string
  readonly topUp: TopUpAddress
  /** The API key that its client uses. */
  key: { readonly id: string; readonly text: string }
}

/** Everything outside of the processes. */
export type World = {
  readonly scenario: Scenario
  readonly loop: EventLoop
  /** The faults that are possible now. */
  conditions: Conditions
  readonly messages: Faults
  readonly database: SimulatedDatabase
  readonly databaseFaults: DatabaseFaults
  readonly qrNetwork: MemoryQrNetwork
  readonly network: NetworkLink
  readonly chain: SimulatedChain
  readonly receivers: Receivers
  readonly tenants: readonly TenantOfWorld[]
  readonly plants: Plants
  /** The number of processes that were started. */
  started: number
  /** The step of the rotation of the encryption keys at which processes start. */
  version: number
  /** Lengthens the pauses of workers' loops: most polls find nothing, and a seed takes as long as its polls. */
  loopPauses: number
  /** Whether the chain adds no more blocks. */
  hasChainStopped: boolean
  readonly alerts: Alert[]
  /** What must not be. The first one ends the run. */
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

const tenantCount = 3
const minuteMs = 60_000

export async function newWorld(scenario: Scenario, plants: Plants): Promise<World> {
  const { conditions } = scenario
  const loop = eventLoop(scenario.seed ^ Math.imul(scenario.order, 0x9e3779b1), simulationStart)
  const database = simulatedDatabase(loop, operatorTokens())
  const stores = linkedStores(database.stores, database.primary.execute)
  const tenants = await newTenants(stores, scenario.seed, loop)
  const accounts = tenants.map(({ topUp }) => topUp.account)
  const chain = simulatedChain(loop, conditions, accounts)
  for (const tenant of accounts.keys()) chain.send({ tenant, kind: 'normal', at: 0 })
  const latency = (longestMs: number): number => {
    if (longestMs === 0) return 0
    return loop.chance(0.01) ? loop.random() * 40_000 : loop.random() * longestMs
  }
  const qrNetwork = memoryQrNetwork({ now: loop.now, lateSeconds: null })
  const network = networkLink(loop, qrNetwork, ({ reference }) => onOrder(reference))
  const seen = new Set<string>()
  function onOrder(reference: string): void {
    world.onOrder(reference)
    if (qrNetwork.answerOf(reference)?.type === 'paid') world.onPaid(reference)
    if (seen.has(reference)) return
    seen.add(reference)
    loop.after(loop.random() * 3 * minuteMs, () => {
      qrNetwork.settle(reference, loop.pick(outcomes))
      if (qrNetwork.answerOf(reference)?.type === 'paid') world.onPaid(reference)
    })
  }
  database.standby.lagMs = () => Math.floor(loop.random() * world.conditions.lagMs)
  const world: World = {
    ...{ scenario, loop, conditions, database, qrNetwork, network, chain, tenants, plants },
    messages: { storeFaults: 0, latency: () => latency(world.conditions.latencyMs) },
    databaseFaults: {
      refused: conditions.databaseFaults,
      lost: conditions.databaseFaults,
      latencyMs: () => latency(Math.min(world.conditions.latencyMs, 1_000)),
      diskMs: () => 0,
      isFull: false,
    },
    replacedErrors: new WeakSet(),
    decided: new Map(),
    receivers: receivers(loop, conditions.receiverFaults),
    ...{
      started: 0,
      version: 0,
      loopPauses: 2,
      hasChainStopped: false,
      alerts: [],
      violations: [],
    },
    onExecuted: () => undefined,
    onOrder: () => undefined,
    onPaid: () => undefined,
    onAlert: (alert) => void world.alerts.push(alert),
    onUnexpected: (message, error) => {
      if (error instanceof Error && world.replacedErrors.has(error)) return
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
      world.violations.push(`unexpected error: ${message}: ${text}`)
    },
  }
  network.faults = conditions.networkFaults
  return world
}

/** How late payments end. */
const outcomes: readonly FinalPaymentOutcome[] = [
  'paid',
  'paid',
  'paid',
  'refused_payment',
  'refused_qr',
  'limit',
  'no_liquidity',
]

/** The tenants, each with a key and a top-up address, before any fault. */
async function newTenants(
  stores: Stores,
  seed: number,
  loop: EventLoop,
): Promise<readonly TenantOfWorld[]> {
  const next = mulberry32(seed ^ 0x7e4a)
  const random = (size: number): Uint8Array => Uint8Array.from({ length: size }, () => next() * 256)
  const ports = { ...stores, ids: idSource(random), random, now: loop.now }
  const { ADDRESS_MAC_KEY: addressMacKeys } = settingsOf(0).worker
  if (addressMacKeys === undefined) throw new Error('the key is set')
  const raiseAlert = (): void => undefined
  const topUpPorts = { ...ports, source: tronAddresses(xpub), addressMacKeys, raiseAlert }
  const made: TenantOfWorld[] = []
  for (let n = 1; n <= tenantCount; n++) {
    const technicalContact = { name: 'Rosa Quispe', email: 'rosa@pagos.example' }
    const input = { legalName: `Tenant ${n}`, technicalContact }
    const { id } = await manageTenants(ports).create(ana.person, input)
    const topUp = await ensureTopUpAddress(topUpPorts, 'tron')(id)
    await fund(ports, id, usdt(BigInt(1_000_000 + Math.floor(next() * 12_000_000))))
    made.push({ id, topUp, key: await newKey(manageApiKeys(ports, 'test'), id) })
  }
  return made
}

/** The reason of the proposals that fund the tenants. */
export const initialFunds = 'funds of the simulation'

/** A credit that two operators have agreed on. */
async function fund(
  ports: Omit<ManageProposalsPorts, 'encodeEvent'>,
  tenantId: string,
  amount: Usdt,
): Promise<void> {
  const { adjustWallet, approve } = manageProposals(
    { ...ports, encodeEvent },
    defaultProposalSettings,
  )
  const note = { reason: initialFunds, evidence: null }
  const proposed = await adjustWallet(ana, tenantId, { direction: 'in', amount }, note)
  if (proposed.type === 'proposal') await approve(ben, proposed.proposal.id)
}

/** @throws Error when no key was issued */
export async function newKey(
  keys: Pick<ManageApiKeys, 'issue'>,
  tenantId: string,
): Promise<TenantOfWorld['key']> {
  const input = {
    name: 'till',
    scopes: ['payouts:write', 'payouts:read'],
    expiresAt: null,
  } as const
  const issued = await keys.issue(ana, tenantId, input)
  if (issued.type === 'refused') throw new Error(`no key: ${issued.code}`)
  return { id: issued.record.id, text: issued.key }
}

/** Every payout of the primary. */
export async function allPayouts({ database, tenants }: World): Promise<readonly Payout[]> {
  const pages = await Promise.all(
    tenants.map(({ id }) => database.stores.payouts.list(id, { limit: 1_000 })),
  )
  return pages.flatMap(({ items }) => items)
}
