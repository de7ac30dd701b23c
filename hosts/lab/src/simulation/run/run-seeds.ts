import { Worker } from 'node:worker_threads'
import type { Request } from './options-of-runs.ts'
import type { Options } from './options.ts'
import { addReport, newSummary, type SeedReport, type Summary } from './report.ts'

/** No seed begins after this number of failures; after one of a planted bug. */
const failuresMax = 20

/**
 * Runs seeds in threads until there were enough, the time is over, or too many have failed.
 *
 * @param onProgress  called after every seed
 */
export async function runSeeds(request: Options & Request, onProgress: (summary: Summary) => void): Promise<Summary> {
  const { seed: first, seeds, minutes, jobs, plant } = request
  const summary = newSummary()
  const endsAt = performance.now() + (minutes ?? Infinity) * 60_000
  const enough = plant === undefined ? failuresMax : 1
  let next = first
  const begin = (): number | undefined => {
    const isOver =
      next - first >= (seeds ?? Infinity) || performance.now() >= endsAt || summary.failures.length >= enough
    return isOver ? undefined : next++
  }
  async function runThread(): Promise<void> {
    const thread = new Worker(new URL('./seeds-thread.ts', import.meta.url), { workerData: request })
    for (let seed = begin(); seed !== undefined; seed = begin()) {
      const { promise, resolve, reject } = Promise.withResolvers<SeedReport>()
      thread.once('message', resolve).once('error', reject)
      thread.postMessage(seed)
      addReport(summary, await promise)
      thread.removeListener('error', reject)
      onProgress(summary)
    }
    await thread.terminate()
  }
  await Promise.all(Array.from({ length: jobs }, runThread))
  return summary
}
