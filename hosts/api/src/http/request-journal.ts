import { type Clock, type Ids, type Timer, Unavailable } from '@quipu/core'
import type { RequestLogStore, RequestRecord } from '@quipu/core/operator'
import { type Metrics, type PollingLoop, pollingLoop } from '@quipu/runtime'
import type { RequestEnd } from './context.ts'

/** Tenants' requests until they are written: a crash loses those of the last second. */
export type RequestJournal = {
  /** Keeps the request of a tenant. When too many are kept, the oldest are dropped. */
  add(end: RequestEnd): void
  /** Writes what is kept. What could not be written stays. @throws what the store throws */
  flush(): Promise<void>
  /** Flushes every second, and once more when it is stopped. */
  write(ports: { readonly timer: Timer; readonly report: (error: unknown) => void }): PollingLoop
}

export type RequestJournalPorts = {
  readonly store: Pick<RequestLogStore, 'record'>
  readonly now: Clock
  readonly ids: Pick<Ids, 'uuid'>
}

/** The second is also how many are written by one statement, and dropped together. */
const [keptMax, batchMax] = [10_000, 1_000]
const everyMs = 1_000
const pathLength = 200

export function requestJournal({ store, now, ids }: RequestJournalPorts, metrics: Metrics): RequestJournal {
  const countDropped = metrics.counter({
    name: 'quipu_requests_unlogged_total',
    help: 'Requests that are missing from their tenant’s log, as the database did not take them in time.',
  })
  const kept: RequestRecord[] = []
  let flushing: Promise<void> | undefined

  function bound(): void {
    while (kept.length > keptMax) countDropped({}, kept.splice(0, batchMax).length)
  }

  async function flushAll(): Promise<void> {
    while (kept.length > 0) {
      const batch = kept.splice(0, batchMax)
      try {
        await store.record(batch)
      } catch (error) {
        kept.unshift(...batch)
        bound()
        throw error
      }
    }
  }

  const flush = (): Promise<void> => (flushing ??= flushAll().finally(() => (flushing = undefined)))

  return {
    add(end) {
      const { tenantId, keyId } = end
      if (tenantId === undefined || keyId === undefined) return
      const createdAt = new Date(now().getTime() - Math.round(end.durationMs))
      const { loggedId: requestId, method, path, address, durationMs } = end
      kept.push({
        id: ids.uuid(createdAt),
        tenantId,
        keyId,
        requestId,
        method,
        path: path.slice(0, pathLength),
        status: end.aborted ? null : end.status,
        code: end.code ?? null,
        address,
        durationMs,
        bodyDigest: end.bodyDigest ?? null,
        answerDigest: end.answerDigest ?? null,
        createdAt,
      })
      bound()
    },
    flush,
    write({ timer, report }) {
      // The database watch reports an outage.
      const reported = (error: unknown): void => {
        if (!(error instanceof Unavailable)) report(error)
      }
      const once = () => flush().catch(reported)
      const loop = pollingLoop(() => once().then(() => everyMs), timer)
      return { ...loop, stop: () => loop.stop().then(once) }
    },
  }
}
