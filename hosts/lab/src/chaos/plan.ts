import { mulberry32 } from '@quipu/contracts/simulation'

/** Every fault, and what it does to the system that runs. */
export const faultTexts = {
  'kill-api': 'SIGKILL for one API',
  'kill-worker': 'SIGKILL for one worker',
  'kill-all': 'SIGKILL for both APIs and both workers at once',
  'drain-api': 'SIGTERM for one API under load',
  'stop-api': 'SIGSTOP for one API, and SIGCONT after its leases have expired',
  'stop-worker': 'SIGSTOP for one worker, and SIGCONT after its leases have expired',
  clock: 'the clock of one process jumps by up to an hour, and back',
  files: 'one process loses its connections, and can open no file descriptor',
  'cut-database': 'the database connections of one process are cut, several times',
  'half-open-database': 'the database connections of one process lose bytes and stay open',
  'slow-database': 'every byte between one process and the database is 40 to 400 ms late',
  'stalled-database': 'the database answers nothing, and keeps what arrives',
  'ended-sessions': 'pg_terminate_backend for every session of the service',
  connections: 'the service’s sessions end, and all connections that the database allows are taken',
  'disk-full': 'the disk of both database servers is full',
  'crash-database': 'a session of the primary crashes, and the primary recovers',
  'restart-database': 'the primary is killed and restarted',
  'standby-down': 'the standby is killed and restarted: commits wait',
  'replication-stall': 'replication stalls: commits wait',
  'cut-network': 'the connections of all processes to the QR network are cut, several times',
  'half-open-network': 'the connections of one process to the QR network lose bytes and stay open',
  'slow-network': 'the QR network answers 0.5 to 3 s late',
  'network-down': 'the QR network refuses connections, or answers 503',
  'network-lost': 'the QR network pays, and its answers are lost, garbled or errors',
  'callbacks-wrong': 'callbacks of the QR network are lost, duplicated or forged',
  'chain-down': 'the chain’s node refuses connections',
  'chain-wrong': 'the chain’s node answers with errors, nothing, or an old state',
  'sqs-down': 'SQS refuses connections',
  'sqs-wrong': 'SQS loses, duplicates and reorders messages, and its answers are lost',
  'cut-clients': 'connections between tenants and both APIs are cut, several times',
  'slow-clients': 'every byte between tenants and one API is 100 to 800 ms late',
  'receivers-down': 'the accepting receivers refuse connections',
  upgrade: 'an earlier version is migrated and replaced, process by process',
  'fail-over': 'the primary is lost, and the standby is promoted',
} as const

/** Faults that need a cluster under Patroni; the primary is the one of that moment. */
export const patroniFaultTexts = {
  switchover: 'an operator’s switchover',
  'kill-postgres': 'SIGKILL for the primary’s postmaster',
  'lose-primary': 'SIGKILL for Patroni and PostgreSQL of the primary, which stay down',
  'kill-patroni': 'SIGKILL for the primary’s Patroni, which is started again',
  'lose-patroni': 'SIGKILL for the primary’s Patroni, which stays down',
  'freeze-patroni': 'SIGSTOP for the primary’s Patroni',
  'freeze-postgres': 'SIGSTOP for the primary’s PostgreSQL',
  'lose-standby': 'the synchronous standby is lost',
  'lose-standbys': 'both standbys are lost: commits wait',
  'lose-two': 'the primary and its synchronous standby are lost',
  'lone-primary': 'both standbys are lost, and the primary starts again alone: it must accept nothing',
  'lose-patroni-and-standby': 'HAProxy reloads, the primary’s Patroni is lost, and a standby is cut from etcd',
  'reload-and-freeze': 'HAProxy reloads, and the primary’s Patroni freezes',
  'freeze-etcd': 'two of three members of etcd freeze',
  'cut-primary': 'the primary is cut from etcd, the standbys and HAProxy',
  'cut-primary-from-nodes': 'the primary is cut from etcd and the standbys',
  'cut-primary-from-etcd': 'the primary is cut from etcd',
  'cut-primary-from-standbys': 'the primary is cut from its standbys: commits wait',
  'cut-primary-from-proxy': 'the primary is cut from HAProxy',
  'primary-disk-full': 'the disk of the primary is full',
  'no-standby-required': '`alter system` empties synchronous_standby_names: nothing may be accepted',
  'upgrade-postgres': 'pg_upgrade of the primary, and new standbys: nothing may be accepted before a person confirms',
} as const

/** Faults of OpenHub alone. */
export const openHubFaultTexts = {
  'orders-open': 'OpenHub answers orders 94, 96, 95, 99 and 14: each paid, not paid and paid later',
  'tokens-end': 'OpenHub ends every token, several times',
  'payments-return': 'the money of completed payments comes back, several times',
} as const

export type OpenHubFault = keyof typeof openHubFaultTexts
export type PatroniFault = keyof typeof patroniFaultTexts
export type FaultName = keyof typeof faultTexts | PatroniFault | OpenHubFault

export const faultNames = Object.keys(faultTexts) as readonly FaultName[]
export const openHubFaultNames = Object.keys(openHubFaultTexts) as readonly OpenHubFault[]
export const patroniFaultNames = Object.keys(patroniFaultTexts) as readonly PatroniFault[]
/** Faults that may overlap: no operator upgrades a broken cluster. */
export const chaosPatroniFaultNames = patroniFaultNames.filter((fault) => fault !== 'upgrade-postgres')

/** One fault alone, or several that overlap. */
export type Step = readonly FaultName[]

/**
 * The steps of one system from its start to the final comparison. It starts as an earlier version, so
 * `upgrade` is in its first step; it has one standby, so `fail-over` is in its last step.
 */
export type Episode = { readonly seed: number; readonly steps: readonly Step[] }

/** Steps between the upgrade and the fail-over. */
const stepsBetween = 6

export type PlanOptions = {
  readonly seed: number
  /** The faults to inject; an episode of which `upgrade` is no fault starts as the present version. */
  readonly faults: readonly FaultName[]
  /** The greatest number of faults that overlap in a step, from 2. */
  readonly overlap: number
  /** The number of episodes to skip. */
  readonly from?: number
}

/**
 * Generates episodes without end, determined by the seed. A fault alone, and a pair, returns after all others.
 * An episode has one step of a usual fault alone, until each has come alone.
 */
export function* episodesOf(options: PlanOptions): Generator<Episode, never> {
  const { seed, faults, from = 0 } = options
  const draw = drawing(options)
  for (let number = 0; ; number++) {
    const first = faults.includes('upgrade') ? [draw.with('upgrade')] : []
    const between = Array.from({ length: stepsBetween }, (_, place) =>
      draw.usual(place === number % stepsBetween),
    ).filter((step) => step.length > 0)
    const last = faults.includes('fail-over') ? [draw.with('fail-over')] : []
    if (number >= from) yield { seed: seed * 1_000 + number, steps: [...first, ...between, ...last] }
  }
}

const pairOf = (one: FaultName, other: FaultName): string => [one, other].toSorted().join(' + ')

/** Each pair of the faults, as text that does not depend on their order. */
export const pairsOf = (faults: Step): string[] =>
  faults.flatMap((one, place) => faults.slice(place + 1).map((other) => pairOf(one, other)))

/** Chooses the faults of one step after another, those first that have not been drawn alone or as a pair. */
function drawing({ seed, faults, overlap }: PlanOptions) {
  const random = mulberry32(seed)
  const usual = faults.filter((fault) => fault !== 'upgrade' && fault !== 'fail-over')
  /** Faults alone, and pairs, that are to come before any returns. */
  const undrawn = new Set<string>()
  const countOf = (fault: FaultName, others: Step): number =>
    others.filter((other) => undrawn.has(pairOf(fault, other))).length

  /** Adds the fault that makes the most undrawn pairs, again and again, while one makes any. */
  const grown = (group: Step): Step => {
    const [best] = shuffled(usual, random)
      .filter((fault) => !group.includes(fault))
      .map((fault) => ({ fault, now: countOf(fault, group), later: countOf(fault, usual) }))
      .toSorted((a, b) => b.now - a.now || b.later - a.later)
    if (!best || group.length >= overlap) return group
    if ((group.length > 0 ? best.now : best.later) === 0) return group
    return grown([...group, best.fault])
  }
  /** Begins again with these when all were drawn. */
  const refill = (texts: readonly string[]): void => {
    if (!texts.some((text) => undrawn.has(text))) for (const text of texts) undrawn.add(text)
  }
  const drawn = (step: Step): Step => {
    for (const text of step.length === 1 ? step : pairsOf(step)) undrawn.delete(text)
    return step
  }
  return {
    /** An empty step if there is no usual fault. */
    usual(isAlone: boolean): Step {
      refill([...usual, ...pairsOf(usual)])
      const alone = shuffled(usual, random).find((fault) => undrawn.has(fault))
      const group = grown([])
      return drawn(alone && (isAlone || group.length === 0) ? [alone] : group)
    },
    /** The fault with usual ones, or alone. */
    with(fault: FaultName): Step {
      refill([fault, ...usual.map((other) => pairOf(fault, other))])
      return drawn(grown([fault]))
    },
  }
}

export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const keyed = items.map((item) => ({ item, key: random() }))
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item)
}
