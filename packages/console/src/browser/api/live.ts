import { useCallback, useEffect, useState } from 'preact/hooks'
import { authorized } from './session.ts'
import { useStore } from '../store.ts'
import { changesDone } from './action.ts'
import { RequestFailure } from './request.ts'

/** The data of a page, which it reads again and again. */
export type Live<T> = {
  /** The newest answer; undefined until there is one. */
  readonly data: T | undefined
  /** Why the newest request failed; the older `data` stays. */
  readonly failure: RequestFailure | undefined
  /** When `data` arrived. */
  readonly at: Date | undefined
  /** Asks again now. */
  reload(): void
}

/** A fault shows within this time. */
const refreshMs = 8_000

type Answer<T> = {
  readonly path: string | undefined
  readonly data?: T
  readonly failure?: RequestFailure
  readonly at?: Date
}

/**
 * Reads from the operator API, and again after each change and every few seconds while the page is visible.
 *
 * @param path  below `/operator/v1`; undefined reads nothing
 */
export function useLive<T>(path: string | undefined, everyMs: number = refreshMs): Live<T> {
  const [answer, setAnswer] = useState<Answer<T>>({ path })
  const [round, setRound] = useState(0)
  const changes = useStore(changesDone)
  const reload = useCallback(() => setRound((before) => before + 1), [])

  useEffect(() => {
    if (path === undefined) return
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const poll = async (): Promise<void> => {
      if (!document.hidden) await load()
      if (!stop.signal.aborted) timer = setTimeout(() => void poll(), everyMs)
    }
    const load = async (): Promise<void> => {
      try {
        const data = await authorized<T>(path, { signal: stop.signal })
        if (!stop.signal.aborted) setAnswer({ path, data, at: new Date() })
      } catch (failure) {
        if (stop.signal.aborted) return
        if (!(failure instanceof RequestFailure)) throw failure
        setAnswer((before) => ({ ...(before.path === path ? before : { path }), failure }))
      }
    }
    const shown = (): void => {
      if (!document.hidden) void load()
    }
    document.addEventListener('visibilitychange', shown)
    void poll()
    return () => {
      stop.abort()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', shown)
    }
  }, [path, everyMs, round, changes])

  // The answer to an older path is not this one's.
  const { data, failure, at } = answer.path === path ? answer : ({} as Answer<T>)
  return { data, failure, at, reload }
}
