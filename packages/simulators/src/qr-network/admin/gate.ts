import { Refusal } from '../../json-server.ts'

/**
 * Where a request can be made to wait until it is released: on one side or the other of the
 * instant that changes the ledger. `status` is the read by reference.
 */
export type HoldPoint =
  | 'before_reading'
  | 'before_paying'
  | 'after_paying'
  | 'before_status'
  | 'before_closing'
  | 'after_closing'

export const holdPoints: readonly [HoldPoint, ...HoldPoint[]] = [
  'before_reading',
  'before_paying',
  'after_paying',
  'before_status',
  'before_closing',
  'after_closing',
]

/** Where requests are held, so that a test can act at exactly that instant. */
export type Gate = {
  /** Waits while requests are held at this point, whether or not the asker is still there. */
  pass(point: HoldPoint, reference: string): Promise<void>
  /** References of the requests that are waiting, in order of arrival. */
  held(): string[]
  /** Resolves as soon as `count` requests are waiting. */
  untilHeld(count: number): Promise<void>
  /** Lets the requests of one reference go, or all of them. @returns how many went */
  release(reference?: string): number
  /** Ends the waiting requests with a 503; they do nothing more. */
  abandon(): void
}

type Waiting = {
  readonly reference: string
  readonly go: () => void
  readonly end: (error: Error) => void
}

/** @param heldAt  the point where requests are held now, if any */
export function createGate(heldAt: () => HoldPoint | null): Gate {
  let waiting: Waiting[] = []
  let watchers: { readonly count: number; readonly seen: () => void }[] = []
  const notice = (): void => {
    const ready = watchers.filter(({ count }) => waiting.length >= count)
    watchers = watchers.filter((watcher) => !ready.includes(watcher))
    for (const { seen } of ready) seen()
  }
  return {
    async pass(point, reference) {
      if (heldAt() !== point) return
      await new Promise<void>((go, end) => {
        waiting.push({ reference, go, end })
        notice()
      })
    },
    held: () => waiting.map(({ reference }) => reference),
    async untilHeld(count) {
      if (waiting.length >= count) return
      await new Promise<void>((seen) => {
        watchers.push({ count, seen })
      })
    },
    release(reference) {
      const going = waiting.filter((one) => reference === undefined || one.reference === reference)
      waiting = waiting.filter((one) => !going.includes(one))
      for (const { go } of going) go()
      return going.length
    },
    abandon() {
      const ended = waiting
      waiting = []
      for (const { end } of ended) end(new Refusal(503, 'RESET', 'The network was reset.'))
    },
  }
}
