import type { AttemptRecord, ClaimedRun, RecordedAttempt } from '@quipu/core/adapter'
import { untraced } from '@quipu/tracing'

/** Records deliveries of one run that were delivered at the first attempt. */
export type RecordPart = (part: readonly AttemptRecord[]) => Promise<readonly RecordedAttempt[]>

export type Gathered = {
  /** Records a delivery together with others of its run. */
  add(run: ClaimedRun, record: AttemptRecord): Promise<RecordedAttempt>
  /** Reports that a delivery of the run is recorded singly, so that its run does not wait for it. */
  skip(run: ClaimedRun): void
  /** Flushes, and resolves when every added delivery has its result. */
  idle(): Promise<void>
}

type Waiting = {
  readonly record: AttemptRecord
  readonly resolve: (recorded: RecordedAttempt) => void
  readonly reject: (error: unknown) => void
}

type Gathering = {
  readonly run: ClaimedRun
  /** How many deliveries of the run have no result of their attempt yet. */
  outCount: number
  waiting: Waiting[]
  isWriting: boolean
  /** Whether the last flush skipped the run, to wait for its other deliveries. */
  wasSkipped: boolean
}

/** The time between two flushes, each of which is one commit. Claims do not wait for it. */
const flushMs = 10

/**
 * Records the deliveries of many runs in one batch every `flushMs`. Skips an incomplete run once, so that
 * most runs are recorded as a whole; a slower run is recorded in parts, one part at a time.
 */
export function gatherRuns(recordPart: RecordPart): Gathered {
  const runs = new WeakMap<ClaimedRun, Gathering>()
  const { schedule, idle } = partWriter(recordPart)
  const gatheringOf = (run: ClaimedRun): Gathering => {
    let gathering = runs.get(run)
    if (gathering === undefined) {
      gathering = { run, outCount: run.size, waiting: [], isWriting: false, wasSkipped: false }
      runs.set(run, gathering)
    }
    return gathering
  }
  return {
    add: (run, record) =>
      new Promise((resolve, reject) => {
        const gathering = gatheringOf(run)
        if (gathering.waiting.some((other) => isSame(other.record, record))) return resolve({ type: 'stale' })
        gathering.outCount -= 1
        gathering.waiting.push({ record, resolve, reject })
        schedule(gathering)
      }),
    skip: (run) => {
      const gathering = gatheringOf(run)
      gathering.outCount -= 1
      schedule(gathering)
    },
    idle,
  }
}

type PartWriter = {
  /** Writes the waiting deliveries of a run at the next flush, or at the one after it. */
  schedule(gathering: Gathering): void
  idle(): Promise<void>
}

function partWriter(recordPart: RecordPart): PartWriter {
  /** Runs with waiting deliveries, in the order of their first delivery. */
  let unwritten = new Set<Gathering>()
  const writing = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined

  const write = async (gathering: Gathering): Promise<void> => {
    const part = gathering.waiting
    gathering.waiting = []
    gathering.isWriting = true
    gathering.wasSkipped = false
    await resolvePart(recordPart, part)
    gathering.isWriting = false
    schedule(gathering)
  }
  const start = (gathering: Gathering): void => {
    const work = write(gathering).finally(() => writing.delete(work))
    writing.add(work)
  }
  const schedule = (gathering: Gathering): void => {
    if (gathering.isWriting || gathering.waiting.length === 0) return
    unwritten.add(gathering)
    timer ??= untraced(() => setTimeout(flush, flushMs, false))
  }
  const flush = (isLast: boolean): void => {
    clearTimeout(timer)
    timer = undefined
    const due = unwritten
    unwritten = new Set()
    for (const gathering of due) {
      if (isLast || gathering.outCount <= 0 || gathering.wasSkipped) start(gathering)
      else {
        gathering.wasSkipped = true
        schedule(gathering)
      }
    }
  }
  return {
    schedule,
    idle: async () => {
      flush(true)
      while (writing.size > 0) await Promise.all(writing)
    },
  }
}

/** Records a part, and resolves each of its deliveries. */
async function resolvePart(recordPart: RecordPart, part: readonly Waiting[]): Promise<void> {
  try {
    const recorded = await recordPart(part.map(({ record }) => record))
    part.forEach(({ resolve, reject }, place) => {
      const one = recorded[place]
      if (one === undefined) reject(new Error('recording a part of a run returned no result for a delivery'))
      else resolve(one)
    })
  } catch (error) {
    for (const { reject } of part) reject(error)
  }
}

const isSame = (one: AttemptRecord, other: AttemptRecord): boolean => one.claim.eventId === other.claim.eventId
