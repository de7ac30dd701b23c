import { type Ids, idSource } from './ids.ts'

/** Ids that count instead of being random, so that a failing test fails the same way again. */
export function countingIds(): Ids {
  let count = 0
  return idSource((size) => {
    const bytes = new Uint8Array(size)
    new DataView(bytes.buffer).setUint32(size - 4, ++count)
    return bytes
  })
}
