import { testOperatorTokens } from '@quipu/contracts'
import {
  type EventLoop,
  linkedStores,
  type LogEntry,
  type RepeatablePrimary,
  repeatablePrimary,
  replication,
  type StoreMethod,
} from '@quipu/contracts/simulation'
import { type Stores, Unavailable } from '@quipu/core'
import { memoryDatabase, memoryStoresOver } from '@quipu/memory'

/** A commit. Without an entry it has no content, and confirms a read. */
export type Commit = { readonly entry?: LogEntry; readonly result?: unknown }

/**
 * Stores over a primary with a synchronous standby. A commit is visible once its session no longer waits for the
 * standby. Sessions hold no locks: a test does not write to a row while another session waits with a write of it.
 */
export type FailOverDatabase = {
  /** What readers see. */
  readonly stores: Stores
  /** What the standby has. */
  standby(): Stores
  /** The commits after those of `setUp`. */
  log(): readonly Commit[]
  /** How many of them the standby has. */
  replicated(): number
  /** The places of those that readers see. */
  visible(): ReadonlySet<number>
  /** 0 is the first primary, 1 the promoted standby. */
  timeline(): number
  isStalled(): boolean
  /** @returns the result, and the place of the commit in the log unless nothing was written */
  write(method: StoreMethod, args: readonly unknown[]): Promise<Written>
  /** Commits on the server that was read. @returns the commit's place. @throws Unavailable when it was replaced */
  confirm(timeline: number): number
  /** Resolves when the standby has the commit. Rejects when sessions end before. */
  wait(place: number): Promise<void>
  /** The sessions that wait with these commits no longer wait. */
  show(places: Iterable<number>): void
  /** The standby receives one commit. */
  receive(): void
  stallOrGoOn(): void
  /** The primary crashes, and restarts with its whole log. */
  restart(): void
  /** The primary is lost, with every commit that the standby has not received. */
  promote(): void
}
type Written = { readonly result: unknown; readonly place: number | undefined }

const openPrimary = ({ now: clock }: EventLoop): RepeatablePrimary =>
  repeatablePrimary(clock, {
    empty: (now) => memoryDatabase(now, testOperatorTokens()),
    storesOver: memoryStoresOver,
  })

/** @param setUp writes what every server has */
export async function failOverDatabase(
  loop: EventLoop,
  setUp: (stores: Stores) => Promise<void>,
): Promise<FailOverDatabase> {
  const [primary, copy, standby] = [openPrimary(loop), openPrimary(loop), replication(loop)]
  await setUp(linkedStores(primary.stores, primary.execute))
  const start = [...primary.log()]
  standby.send(start.length)
  let log: Commit[] = []
  let [visible, timeline] = [new Set<number>(), 0]

  const replicated = (): number => standby.received() - start.length
  const positionAfter = (place: number): number => start.length + place + 1
  const follow = (server: RepeatablePrimary, has: (place: number) => boolean): void => {
    const entries = log.flatMap(({ entry }, place) => (entry && has(place) ? [entry] : []))
    server.follow([...start, ...entries], 0)
  }
  const show = (places: Iterable<number>): void => {
    visible = new Set([...visible, ...places])
    follow(primary, (place) => visible.has(place))
  }
  const append = (commit: Commit): number => {
    const place = log.push(commit) - 1
    if (timeline === 1) standby.send(positionAfter(place)) // It has no standby to wait for.
    return place
  }
  return {
    stores: primary.stores,
    standby: () => {
      follow(copy, (place) => place < replicated())
      return copy.stores
    },
    ...{ log: () => log, replicated, visible: () => visible, timeline: () => timeline, show },
    isStalled: standby.isStalled,
    write: async (method, args) => {
      const result = await primary.execute(method, args)
      const entry = primary.log().at(-1)
      show([]) // Not yet visible.
      return { result, place: entry && hasWritten(result) ? append({ entry, result }) : undefined }
    },
    confirm: (readAt) => {
      if (readAt !== timeline) throw new Unavailable('store', 'the connection was lost')
      return append({})
    },
    wait: (place) => standby.wait(positionAfter(place)),
    receive: () => standby.send(standby.received() + 1),
    stallOrGoOn: () => (standby.isStalled() ? standby.resume(standby.received()) : standby.stall()),
    restart: () => {
      standby.endSessions('the server crashed')
      show(log.keys())
    },
    promote: () => {
      standby.endSessions('the standby was promoted')
      standby.resume(standby.received())
      log = log.slice(0, replicated())
      ;[visible, timeline] = [new Set(), 1]
      show(log.keys())
    },
  }
}

/** Whether a write of a payout or claim has changed anything. */
const hasWritten = (result: unknown): boolean =>
  Array.isArray(result) ? result.length > 0 : result !== 'stale' && result !== false
