import { type Given, given } from './given.ts'
import { useOpened } from './opened.ts'
import type { Stores } from '@quipu/core'

/** The stores of a fresh, empty database, with its clock in the test's hands. */
export type Harness = Stores & {
  /** Steps the stores' clock. It may run on by itself as well, but never by seconds in a test. */
  advance(seconds: number): Promise<void>
  close(): Promise<void>
}

export type OpenHarness = () => Promise<Harness>

/** A harness and the test data that can be put into it. */
export type World = Harness & Given

/**
 * Opens a database before the tests of the enclosing `describe` and closes it after them.
 *
 * Most tests share one and keep apart by having a tenant each. `each` is for those that see more
 * than one tenant's rows, such as the claims of workers.
 */
export const useWorld = (open: OpenHarness, scope?: 'shared' | 'each'): (() => World) =>
  useOpened(async () => {
    const harness = await open()
    return { ...harness, ...given(harness) }
  }, scope)
