/** Work under way. However much there is of it, each start and each end costs the same. */
export type Crew = {
  /** How much is under way. */
  size(): number
  /** @param work must not reject */
  start(work: Promise<void>): void
  /** Resolves when the next one ends. */
  left(): Promise<void>
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
}

export function crew(): Crew {
  let size = 0
  // One promise for whoever waits. To race against all that is under way would cost each of them
  // something for every wait, and keep it until its own end.
  let ending: PromiseWithResolvers<void> | undefined
  const left = (): Promise<void> => (ending ??= Promise.withResolvers()).promise
  const end = (): void => {
    size -= 1
    ending?.resolve()
    ending = undefined
  }
  return {
    size: () => size,
    start(work) {
      size += 1
      void work.then(end)
    },
    left,
    async idle() {
      while (size > 0) await left()
    },
  }
}
