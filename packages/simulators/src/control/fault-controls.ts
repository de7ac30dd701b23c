import type { JsonServer } from '../json-server.ts'
import type { CommonFaults, FaultBox, Patch } from './fault-box.ts'

/** Controls of a network's faults. */
export type FaultControls<Faults> = {
  /** Changes the faults in `patch` and keeps the others. */
  change(patch: Patch<Faults>): Promise<Faults>
  /** Clears all faults, releases the requests that hang, and accepts connections again. */
  clear(): Promise<void>
  readonly hangs: HangControls
}

export type HangControls = {
  /** References of the requests that hang. */
  hanging(): string[]
  /** Resolves when at least `count` requests (1 by default) hang. */
  untilHanging(count?: number): Promise<void>
  /** Releases requests of one reference, or all and clears `hang_at`. @returns their number */
  release(reference?: string): number
}

/** @param server  the network's public server, which refuses connections while it is `down` */
export function faultControls<
  Operation extends string,
  Point extends string,
  Faults extends CommonFaults<Operation, Point>,
>(faults: FaultBox<Operation, Point, Faults>, server: JsonServer): FaultControls<Faults> {
  const { gate } = faults
  return {
    async change(patch) {
      faults.change(patch)
      const { down } = patch
      if (down !== undefined) await (down === true || down === 'refuse' ? server.pause() : server.resume())
      return faults.current()
    },
    async clear() {
      faults.reset()
      await server.resume()
    },
    hangs: {
      hanging: () => gate.hanging(),
      untilHanging: (count = 1) => gate.untilHanging(count),
      release(reference) {
        const released = gate.release(reference)
        if (reference === undefined) faults.change({ hang_at: null } as Patch<Faults>)
        return released
      },
    },
  }
}
