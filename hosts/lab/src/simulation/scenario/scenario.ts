import { mulberry32, paymentKinds } from '@quipu/contracts/simulation'

/** Actions of clients, operators and customers. */
export const actionKinds = [
  'pay',
  'deposit',
  'request_faucet',
  'register_endpoint',
  'rotate_secret',
  'reactivate_endpoint',
  'send_test_event',
  'rotate_key',
  'suspend_tenant',
  'adjust_wallet',
  'resolve_review',
  'query_network',
  'settle_payout',
  'sweep',
  'read_wallet',
  'request_reconciliation',
  'pause_quoting',
] as const
export type ActionKind = (typeof actionKinds)[number]

export type Action = {
  readonly kind: ActionKind
  /** Milliseconds from the start. */
  readonly at: number
  /** The seed of its details: they stay when other actions are removed. */
  readonly details: number
}

/** A fault at one instant, or for some time. */
export const faultKinds = [
  'crash_api',
  'crash_worker',
  'pause_api',
  'pause_worker',
  'restart_worker',
  'move_clock',
  'cut_database',
  'crash_database',
  'fail_over',
  'stall_standby',
  'slow_disk',
  'full_disk',
  'network_outage',
  'chain_outage',
  'receiver_outage',
  'rotate_encryption_keys',
] as const
export type FaultKind = (typeof faultKinds)[number]

export type Fault = {
  readonly kind: FaultKind
  /** Milliseconds from the start. */
  readonly at: number
  /** How long it lasts, or how much it moves; what that means depends on its kind. */
  readonly ms: number
  /** Which process it hits. */
  readonly target: number
}

/** Faults that are possible all the time. */
export type Conditions = {
  /** Probability that a database call is refused; the same that its answer is lost. */
  readonly databaseFaults: number
  /** The longest travel of most messages, in milliseconds. */
  readonly latencyMs: number
  /** The longest travel of a write to the standby, in milliseconds. */
  readonly lagMs: number
  /** Probability that a message to or from the QR network is lost. */
  readonly networkFaults: number
  /** Probability that a request of a client, or its answer, is lost. */
  readonly clientFaults: number
  /** Probability that a receiver fails. */
  readonly receiverFaults: number
  /** Probability that a block forks, that a node does not answer, and that it forges a head block. */
  readonly forks: number
  readonly nodeFaults: number
  readonly forgeries: number
  /** How many blocks a node is behind at most. */
  readonly staleness: number
  /** The largest error of a process's clock, in milliseconds. */
  readonly skewMs: number
}

export type Scenario = {
  readonly seed: number
  /** With the seed it draws all other choices, as the order of events, latencies, what is lost. 0 until it is shrunk. */
  readonly order: number
  readonly actions: readonly Action[]
  readonly faults: readonly Fault[]
  readonly conditions: Conditions
}

/** The length of the part with faults. */
export const faultyMs = 90_000

export const calm: Conditions = {
  databaseFaults: 0,
  latencyMs: 0,
  lagMs: 0,
  networkFaults: 0,
  clientFaults: 0,
  receiverFaults: 0,
  forks: 0,
  nodeFaults: 0,
  forgeries: 0,
  staleness: 0,
  skewMs: 0,
}

/** How often each kind of action comes, among all. */
const weights: Readonly<Record<ActionKind, number>> = {
  pay: 24,
  deposit: 9,
  request_faucet: 2,
  register_endpoint: 3,
  rotate_secret: 1,
  reactivate_endpoint: 2,
  send_test_event: 1,
  rotate_key: 1,
  suspend_tenant: 1,
  adjust_wallet: 2,
  resolve_review: 3,
  query_network: 2,
  settle_payout: 4,
  sweep: 4,
  read_wallet: 3,
  request_reconciliation: 2,
  pause_quoting: 1,
}

/** The scenario of a seed. */
export function scenarioOf(seed: number): Scenario {
  const random = mulberry32(seed ^ 0x5eed)
  const nat = (max: number): number => Math.floor(random() * (max + 1))
  const pick = <T>(items: readonly [T, ...T[]]): T => items[nat(items.length - 1)] ?? items[0]
  const bag = actionKinds.flatMap((kind) => Array.from({ length: weights[kind] }, () => kind))
  const at = (): number => (random() < 0.2 ? nat(2_000) : nat(faultyMs))
  const actions = Array.from({ length: 6 + nat(30) }, () => ({
    kind: bag[nat(bag.length - 1)] ?? 'pay',
    at: at(),
    details: nat(0xffff_fffe),
  }))
  const faults = Array.from({ length: nat(7) }, (): Fault[] => {
    const kind = faultKinds[nat(faultKinds.length - 1)] ?? 'crash_api'
    const ms = pick([500, 3_000, 8_000, 20_000, 45_000]) + nat(500)
    const fault = { kind, at: nat(faultyMs), ms, target: nat(3) }
    // Without a standby that is behind a fail-over loses nothing.
    if (kind !== 'fail_over' || random() < 0.3) return [fault]
    const stallMs = 5_000 + nat(45_000)
    const at = Math.max(0, fault.at - stallMs)
    return [{ kind: 'stall_standby', at, ms: stallMs + 1_000, target: 0 }, fault]
  }).flat()
  const conditions: Conditions = {
    databaseFaults: pick([0, 0, 0.01, 0.05]),
    latencyMs: pick([0, 50, 400, 4_000]),
    lagMs: pick([0, 0, 100, 2_000]),
    networkFaults: pick([0, 0.1, 0.4]),
    clientFaults: pick([0, 0.1, 0.3]),
    receiverFaults: pick([0, 0.2, 0.7]),
    forks: pick([0, 0.1, 0.4]),
    nodeFaults: pick([0, 0.05, 0.3]),
    forgeries: pick([0, 0, 0.2]),
    staleness: pick([0, 2, 8]),
    skewMs: pick([0, 1_500, 6_000]),
  }
  return { seed, order: 0, actions, faults, conditions }
}

/** The details of an action, from its own seed. */
export type Details = {
  nat(max: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
}

export function detailsOf({ details }: Action): Details {
  const random = mulberry32(details)
  return {
    nat: (max) => Math.floor(random() * (max + 1)),
    chance: (probability) => random() < probability,
    pick: (items) => {
      const item = items[Math.floor(random() * items.length)]
      if (item === undefined) throw new Error('there is nothing to pick from')
      return item
    },
  }
}

export const anyPaymentKind = (details: Details): (typeof paymentKinds)[number] =>
  details.chance(0.6) ? 'normal' : details.pick(paymentKinds)
