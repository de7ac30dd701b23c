import type { AttemptRecord, ClaimedRun, RecordedAttempt } from '@quipu/core/adapter'

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
  /** A flush left it to wait for the deliveries that are still out. */
  wasLeft: boolean
}

/** Between two flushes: one commit records what arrived meanwhile. The next claim does not depend on it. */
const flushMs = 10

/**
 * Records the deliveries of many runs in one batch every `flushMs`. A run whose deliveries are still out is left
 * for one flush, so that most runs are recorded as a whole; a slower run is recorded in parts, one part at a time.
 */
export function gatherRuns(recordPart: RecordPart): Gathered {
  const runs = new WeakMap<ClaimedRun, Gathering>()
  const { settle, idle } = partWriter(recordPart)
  const of = (run: ClaimedRun): Gathering => {
    let gathering = runs.get(run)
    if (gathering === undefined) {
      gathering = { run, outCount: run.size, waiting: [], isWriting: false, wasLeft: false }
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
  /** Writes what waits of a run, at the next flush or the one after it. */
  settle(gathering: Gathering): void
  idle(): Promise<void>
}

function partWriter(recordPart: RecordPart): PartWriter {
  /** Those with deliveries that wait, in the order in which the first of them came. */
  let unwritten = new Set<Gathering>()
  const writing = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined

  const write = async (gathering: Gathering): Promise<void> => {
    const part = gathering.waiting
    gathering.waiting = []
    gathering.isWriting = true
    gathering.wasLeft = false
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
    unwritten.add(gathering)
    timer ??= setTimeout(flush, flushMs, false)
  }
  const flush = (isLast: boolean): void => {
    clearTimeout(timer)
    timer = undefined
    const due = unwritten
    unwritten = new Set()
    for (const gathering of due) {
      if (isLast || gathering.outCount <= 0 || gathering.wasLeft) start(gathering)
      else {
        gathering.wasLeft = true
        settle(gathering)
      }
    }
  }
  return {
    settle,
    idle: async () => {
      flush(true)
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
