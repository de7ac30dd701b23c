/** The chain's state as integer cells; a cell that was never set is zero. */
export type Cells = { get(key: string): bigint; set(key: string, value: bigint): void }

/** Values of the changed cells before a block. */
export type Undo = Map<string, bigint>

export type State = Cells & {
  /** A savepoint within the current block. */
  mark(): number
  revertTo(mark: number): void
  /** Ends the current block. @returns its undo */
  takeUndo(): Undo
  /** Reverts the newest block. */
  undo(undo: Undo): void
  /** Changes a cell in the newest state and in these undos, so that no fork reverts the change. */
  override(key: string, change: (value: bigint) => bigint, undos: Iterable<Undo>): void
}

/** @param base  the state below a trial run; empty by default */
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
    takeUndo() {
      // Newest first, so that the oldest value of a cell stays.
      const undo: Undo = new Map(before.reverse())
      before.length = 0
      return undo
    },
    undo(undo) {
      for (const [key, value] of undo) put(key, value)
    },
    override(key, change, undos) {
      put(key, change(get(key)))
      for (const undo of undos) {
        const value = undo.get(key)
        if (value !== undefined) undo.set(key, change(value))
      }
    },
  }
}
