import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'

export type Opened = { close(): Promise<void> }

/** Opens something before the tests of the enclosing `describe`, or each of them, and closes it after. */
export function useOpened<T extends Opened>(
  open: () => Promise<T>,
  scope: 'shared' | 'each' = 'shared',
): () => T {
  let opened: T | undefined
  const before = scope === 'shared' ? beforeAll : beforeEach
  const after = scope === 'shared' ? afterAll : afterEach
  before(async () => {
    opened = await open()
  })
  after(async () => {
    await opened?.close()
    opened = undefined
  })
  return () => {
    if (opened === undefined) throw new Error('this is open inside tests only')
    return opened
  }
}
