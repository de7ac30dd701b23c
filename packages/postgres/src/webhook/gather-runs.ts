import type { AttemptRecord, ClaimedRun, RecordedAttempt } from '@quipu/core'

/** Records deliveries of one run that have arrived. */
export type RecordPart = (part: readonly AttemptRecord[]) => Promise<readonly RecordedAttempt[]>

export type Gathered = {
  /** Records a delivery that has arrived, with others of its run. */
  add(run: ClaimedRun, record: AttemptRecord): Promise<RecordedAttempt>
  /** Tells that a delivery of the run is recorded by itself. */
  skip(run: ClaimedRun): void
  /** Resolves when everything that was added has been answered. */
  idle(): Promise<void>
}

type Waiting = {
  readonly record: AttemptRecord
  readonly resolve: (recorded: RecordedAttempt) => void
  readonly reject: (error: unknown) => void
}

type Gathering = {
  readonly run: ClaimedRun
  /** How many deliveries of the run are still out. */
  outCount: number
  waiting: Waiting[]
  isWriting: boolean
}

/** So long a delivery waits for the others of its run. */
const waitMs = 20

/**
 * Records a run as a whole when its deliveries arrive close together, and else in parts: a delivery waits
 * a moment for its slower neighbours. One part of a run is written at a time.
 */
export function gatherRuns(recordPart: RecordPart): Gathered {
  const runs = new WeakMap<ClaimedRun, Gathering>()
  const { settle, idle } = partWriter(recordPart)
  const of = (run: ClaimedRun): Gathering => {
    let gathering = runs.get(run)
    if (gathering === undefined) {
      gathering = { run, outCount: run.size, waiting: [], isWriting: false }
      runs.set(run, gathering)
    }
    return gathering
  }
  return {
    add: (run, record) =>
      new Promise((resolve, reject) => {
        const gathering = of(run)
        if (gathering.waiting.some((other) => isSame(other.record, record)))
          return resolve({ type: 'stale' })
        gathering.outCount -= 1
        gathering.waiting.push({ record, resolve, reject })
        settle(gathering)
      }),
    skip: (run) => {
      const gathering = of(run)
      gathering.outCount -= 1
      settle(gathering)
    },
    idle,
  }
}

type PartWriter = {
  /** Writes what waits of a run: at once when none is out any more, else after a moment. */
  settle(gathering: Gathering): void
  idle(): Promise<void>
}

function partWriter(recordPart: RecordPart): PartWriter {
  /** Those with deliveries that wait, in the order in which the first of them came. */
  let incomplete = new Set<Gathering>()
  const writing = new Set<Promise<void>>()
  let isTimed = false

  const write = async (gathering: Gathering): Promise<void> => {
    const part = gathering.waiting
    gathering.waiting = []
    gathering.isWriting = true
    incomplete.delete(gathering)
    await answerPart(recordPart, part)
    gathering.isWriting = false
    settle(gathering)
  }
  const start = (gathering: Gathering): void => {
    const work = write(gathering).finally(() => writing.delete(work))
    writing.add(work)
  }
  const settle = (gathering: Gathering): void => {
    if (gathering.isWriting || gathering.waiting.length === 0) return
    if (gathering.outCount <= 0) return start(gathering)
    incomplete.add(gathering)
    if (isTimed) return
    isTimed = true
    setTimeout(flush, waitMs)
  }
  const flush = (): void => {
    isTimed = false
    const due = incomplete
    incomplete = new Set()
    for (const gathering of due) start(gathering)
  }
  return {
    settle,
    idle: async () => {
      flush()
      while (writing.size > 0) await Promise.all(writing)
    },
  }
}

/** Records a part, and answers everybody who waits for it. */
async function answerPart(recordPart: RecordPart, part: readonly Waiting[]): Promise<void> {
  try {
    const recorded = await recordPart(part.map(({ record }) => record))
    part.forEach(({ resolve, reject }, place) => {
      const one = recorded[place]
      if (one === undefined) reject(new Error('a part of a run left a delivery undecided'))
      else resolve(one)
    })
  } catch (error) {
    for (const { reject } of part) reject(error)
  }
}

const isSame = (one: AttemptRecord, other: AttemptRecord): boolean =>
  one.claim.eventId === other.claim.eventId
