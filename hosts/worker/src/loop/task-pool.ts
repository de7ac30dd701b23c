/** Tasks in progress. To start or end one costs the same however many there are. */
export type TaskPool = {
  size(): number
  /** @param task must not reject */
  start(task: Promise<void>): void
  /** Resolves when the next task ends. */
  nextEnd(): Promise<void>
  /** Resolves when no task is in progress. */
  idle(): Promise<void>
}

export function taskPool(): TaskPool {
  let size = 0
  // One promise for all callers. A race against every task would add a reaction to each of them for
  // every wait, and retain it until that task ends.
  let ending: PromiseWithResolvers<void> | undefined
  const nextEnd = (): Promise<void> => (ending ??= Promise.withResolvers()).promise
  const end = (): void => {
    size -= 1
    ending?.resolve()
    ending = undefined
  }
  return {
    size: () => size,
    start(task) {
      size += 1
      void task.then(end)
    },
    nextEnd,
    async idle() {
      while (size > 0) await nextEnd()
    },
  }
}
