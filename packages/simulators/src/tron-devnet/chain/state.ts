/** Everything that the chain remembers, as cells that hold whole numbers; zero when never set. */
export type Cells = {
  get(key: string): bigint
  set(key: string, value: bigint): void
}

/** What the cells that a block changed held before it. */
export type Undo = Map<string, bigint>

export type State = Cells & {
  /** A point to go back to, within the block in the making. */
  mark(): number
  revertTo(mark: number): void
  /** Ends the block in the making. */
  seal(): Undo
  /** Takes back the newest block. */
  undo(undo: Undo): void
  /**
   * Changes a cell as if it had always been so: on the newest state and before each of these
   * blocks, so that no fork takes it back.
   */
  assume(key: string, change: (value: bigint) => bigint, undos: Iterable<Undo>): void
  /** Reads the state as it is now, whatever comes. */
  frozen(): (key: string) => bigint
}

/** @param base  what is read where nothing was written: nothing, or the state that a trial run is on */
export function createState(base?: (key: string) => bigint): State {
  const cells = new Map<string, bigint>()
  const before: [key: string, value: bigint][] = []
  const put = (key: string, value: bigint): void => {
    if (value === 0n && !base) cells.delete(key)
    else cells.set(key, value)
  }
  const get = (key: string): bigint => cells.get(key) ?? base?.(key) ?? 0n
  return {
    get,
    set(key, value) {
      before.push([key, get(key)])
      put(key, value)
    },
    mark: () => before.length,
    revertTo(mark) {
      while (before.length > mark) {
        const last = before.pop()
        if (last) put(...last)
      }
    },
    seal() {
      // Newest first, so that the oldest value of a cell stays.
      const undo: Undo = new Map(before.reverse())
      before.length = 0
      return undo
    },
    undo(undo) {
      for (const [key, value] of undo) put(key, value)
    },
    assume(key, change, undos) {
      put(key, change(get(key)))
      for (const undo of undos) {
        const value = undo.get(key)
        if (value !== undefined) undo.set(key, change(value))
      }
    },
    frozen() {
      const copy = new Map(cells)
      return (key) => copy.get(key) ?? 0n
    },
  }
}
