/** Called when a slot is kept for this taker. */
export type Taker = () => void

/** Slots that batches of several kinds take in turns. */
export type Slots<Slot> = {
  /** @returns a slot, or undefined: then the taker waits, and is called when one is kept for it */
  take(taker: Taker): Slot | undefined
  give(slot: Slot): void
  /** The taker needs no slot: it no longer waits, and what is kept for it goes to the next. */
  leave(taker: Taker): void
  freeCount(): number
}

/** A slot that is given goes to the taker that has waited longest, so no kind holds up another. */
export function sharedSlots<Slot>(all: readonly Slot[]): Slots<Slot> {
  const free = [...all]
  const waiting = new Set<Taker>()
  const kept = new Map<Taker, Slot>()
  const give = (slot: Slot): void => {
    const [first] = waiting
    if (first === undefined) {
      free.push(slot)
      return
    }
    waiting.delete(first)
    kept.set(first, slot)
    first()
  }
  const takeKept = (taker: Taker): Slot | undefined => {
    const slot = kept.get(taker)
    kept.delete(taker)
    return slot
  }
  return {
    take(taker) {
      const slot = takeKept(taker) ?? free.shift()
      if (slot === undefined) waiting.add(taker)
      return slot
    },
    give,
    leave(taker) {
      waiting.delete(taker)
      const slot = takeKept(taker)
      if (slot !== undefined) give(slot)
    },
    freeCount: () => free.length,
  }
}
