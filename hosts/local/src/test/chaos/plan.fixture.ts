import { randomOf } from '../harness/random.fixture.ts'

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
  upgrade: 'the previous version is migrated and replaced, process by process',
  'fail-over': 'the primary is lost, and the standby is promoted',
} as const

export type FaultName = keyof typeof faultTexts

export const faultNames = Object.keys(faultTexts) as readonly FaultName[]

/** One or two faults that overlap. */
export type Step = readonly FaultName[]

/**
 * The steps of one system from its start to the final comparison. It starts as the previous version, so
 * `upgrade` is in its first step; it has one standby, so `fail-over` is in its last step.
 */
export type Episode = { readonly seed: number; readonly steps: readonly Step[] }

/** Steps between the upgrade and the fail-over. */
const stepsBetween = 6

export type PlanOptions = {
  readonly seed: number
  /** The faults to inject; an episode of which `upgrade` is no fault starts as the present version. */
  readonly faults: readonly FaultName[]
}

/**
 * Generates episodes without end, determined by the seed. Every third step is a fault alone; each fault
 * alone, and each pair, returns after all others.
 */
export function* episodesOf({ seed, faults }: PlanOptions): Generator<Episode, never> {
  const random = randomOf(seed)
  const usual = faults.filter((fault) => fault !== 'upgrade' && fault !== 'fail-over')
  const alone = cycle(
    usual.map((fault): Step => [fault]),
    random,
  )
  const pairs = cycle(pairsOf(usual), random)
  const partners = {
    upgrade: cycle<Step>([['upgrade'], ...usual.map((each): Step => ['upgrade', each])], random),
    'fail-over': cycle<Step>(
      [['fail-over'], ...usual.map((each): Step => [each, 'fail-over'])],
      random,
    ),
  }
  let count = 0
  for (let number = 0; ; number++) {
    const usualSteps = Array.from({ length: stepsBetween }, () =>
      count++ % 3 === 0 ? alone() : pairs(),
    ).filter((step) => step !== undefined)
    const first = faults.includes('upgrade') ? [partners.upgrade() ?? []] : []
    const last = faults.includes('fail-over') ? [partners['fail-over']() ?? []] : []
    const steps = [...first, ...usualSteps, ...last]
    yield { seed: seed * 1_000 + number, steps }
  }
}

const pairsOf = (faults: readonly FaultName[]): Step[] =>
  faults.flatMap((one, place) => faults.slice(place + 1).map((other): Step => [one, other]))

/** Returns the items in random order, again and again; undefined if there are none. */
function cycle<T>(items: readonly T[], random: () => number): () => T | undefined {
  let left: T[] = []
  return () => {
    if (left.length === 0) left = shuffled(items, random)
    return left.pop()
  }
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const keyed = items.map((item) => ({ item, key: random() }))
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item)
}
