import { Unavailable } from '../unavailable.ts'
import type { ChainReader } from '../chain/chain.ts'

type Read<T> = { readonly value: T | undefined } | { readonly error: unknown }

/**
 * Reads numbered items concurrently and yields them in order, each time all that are read by then. Reading
 * continues while the caller works on a batch.
 *
 * Ends before the first item that does not exist. Items before a failed one are yielded first.
 *
 * @param width how many items are read concurrently, and at most yielded together
 * @throws the error of `read`
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
  const startReads = (): void => {
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
    startReads()
    await reading.get(taken)
    const batch: T[] = []
    let result = done.get(taken)
    for (; result !== undefined; result = done.get(taken)) {
      if ('error' in result || result.value === undefined) break
      batch.push(result.value)
      reading.delete(taken)
      done.delete(taken++)
    }
    startReads()
    if (batch.length > 0) yield batch
    if (result === undefined) continue
    if ('error' in result) throw result.error
    return
  }
}

/** How often a block is tried before it is reported: a node that has just started lacks receipts for a moment. */
const unreadTries = 3

/** Reads blocks, and reports each one once that several tries could not read. */
export function reportUnread(
  reader: Pick<ChainReader, 'block'>,
  report: (number: number, error: Unavailable) => void,
): ChainReader['block'] {
  const tries = new Map<number, number>()
  return async (view, number) => {
    try {
      const block = await reader.block(view, number)
      tries.delete(number)
      return block
    } catch (error) {
      const count = (tries.get(number) ?? 0) + 1
      tries.set(number, count)
      if (error instanceof Unavailable && count === unreadTries) report(number, error)
      throw error
    }
  }
}
