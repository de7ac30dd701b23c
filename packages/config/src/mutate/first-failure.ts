// A runner of Vitest that imports no more files once a test has failed or a file could not be loaded: one failure kills
// a mutant. Vitest's own `bail` skips the tests of the files that are left, but loads these files, and code that runs
// when a module loads meets all of them.
import { TestRunner } from 'vitest'

type Result = { readonly result?: { readonly state?: string } }

/** Vitest takes a class. It makes one runner for each mutant. */
const FirstFailure: typeof TestRunner = class extends TestRunner {
  #hasFailed = false

  override async importFile(...args: Parameters<TestRunner['importFile']>): Promise<unknown> {
    // A file without tests fails, so the mutant stays killed.
    if (this.#hasFailed) return undefined
    try {
      return await super.importFile(...args)
    } catch (error) {
      this.#hasFailed = true
      throw error
    }
  }

  override onAfterRunTask(...args: Parameters<TestRunner['onAfterRunTask']>): void {
    this.#note(args[0])
    super.onAfterRunTask(...args)
  }

  /** Also a failed hook. */
  override onAfterRunSuite(...args: Parameters<TestRunner['onAfterRunSuite']>): Promise<void> {
    this.#note(args[0])
    return super.onAfterRunSuite(...args)
  }

  #note({ result }: Result): void {
    this.#hasFailed ||= result?.state === 'fail'
  }
}

export default FirstFailure
