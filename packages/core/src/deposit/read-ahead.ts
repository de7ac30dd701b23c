type Read<T> = { readonly value: T | undefined } | { readonly error: unknown }

/**
 * Reads many things at once and hands them over in order: each time those that are there by then,
 * at least one. While the caller works on them, reading goes on.
 *
 * Ends before the first that is not there. When one cannot be read, those before it are handed over
 * first.
 *
 * @param width how many are read at a time, and at most handed over at once
 * @throws what `read` throws
 */
export async function* readAhead<T>(
  read: (number: number) => Promise<T | undefined>,
  first: number,
  last: number,
  width: number,
): AsyncGenerator<readonly T[]> {
  const reading = new Map<number, Promise<void>>()
  const done = new Map<number, Read<T>>()
  let started = first
  let taken = first
  const goOn = (): void => {
    for (; started <= last && started < taken + width; started++) {
      const number = started
      const end = (result: Read<T>): void => void done.set(number, result)
      const ended = read(number).then(
        (value) => end({ value }),
        (error: unknown) => end({ error }),
      )
      reading.set(number, ended)
    }
  }
  while (taken <= last) {
    goOn()
    await reading.get(taken)
    const run: T[] = []
    let result = done.get(taken)
    for (; result !== undefined; result = done.get(taken)) {
      if ('error' in result || result.value === undefined) break
      run.push(result.value)
      reading.delete(taken)
      done.delete(taken++)
    }
    goOn()
    if (run.length > 0) yield run
    if (result === undefined) continue
    if ('error' in result) throw result.error
    return
  }
}
