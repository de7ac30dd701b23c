import { Refusal } from '../json-server.ts'

/** Makes requests hang, so that a test can act at an exact point. */
export type HangGate<Point extends string> = {
  /** Hangs while this point is active, even if the client disconnects. */
  enter(point: Point, reference: string): Promise<void>
  /** References of the requests that hang, in order of arrival. */
  hanging(): string[]
  /** Resolves when at least `count` requests hang. */
  untilHanging(count: number): Promise<void>
  /** Releases the requests of one reference, or all. @returns their number */
  release(reference?: string): number
  /** Answers the requests that hang with 503, without further effect. */
  abort(): void
}

type HangingRequest = {
  readonly reference: string
  readonly resume: () => void
  readonly reject: (error: Error) => void
}

/** @param activePoint  the point where requests hang now, if any */
export function createHangGate<Point extends string>(activePoint: () => Point | null): HangGate<Point> {
  let waiting: HangingRequest[] = []
  let watchers: { readonly count: number; readonly resolve: () => void }[] = []
  const notifyWatchers = (): void => {
    const ready = watchers.filter(({ count }) => waiting.length >= count)
    watchers = watchers.filter((watcher) => !ready.includes(watcher))
    for (const { resolve } of ready) resolve()
  }
  return {
    async enter(point, reference) {
      if (activePoint() !== point) return
      await new Promise<void>((resume, reject) => {
        waiting.push({ reference, resume, reject })
        notifyWatchers()
      })
    },
    hanging: () => waiting.map(({ reference }) => reference),
    async untilHanging(count) {
      if (waiting.length >= count) return
      await new Promise<void>((resolve) => {
        watchers.push({ count, resolve })
      })
    },
    release(reference) {
      const released = waiting.filter((one) => reference === undefined || one.reference === reference)
      waiting = waiting.filter((one) => !released.includes(one))
      for (const { resume } of released) resume()
      return released.length
    },
    abort() {
      const aborted = waiting
      waiting = []
      for (const { reject } of aborted) reject(new Refusal(503, 'RESET', 'The network was reset.'))
    },
  }
}
