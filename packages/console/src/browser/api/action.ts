import { useState } from 'preact/hooks'
import { authorized } from './session.ts'
import { type Store, store } from '../store.ts'
import { RequestFailure } from './request.ts'

/** A change that the person asks for. */
export type Change = {
  /** Below `/operator/v1`. */
  readonly path: string
  readonly method?: 'POST' | 'PATCH' | 'DELETE'
  readonly body?: unknown
}

/** How many changes were done: whatever the page shows is read again after each. */
export const changesDone: Store<number> = store(0)

/** Sends changes, one at a time. */
export type Action = {
  readonly isSending: boolean
  /** Why the last change was refused. */
  readonly failure: RequestFailure | undefined
  /** @returns whether it was done; `failure` says why not */
  send<T>(change: Change, done: (answer: T) => void): Promise<boolean>
  /** Forgets the failure, and makes the next change a new one. */
  reset(): void
}

/**
 * Sends the changes of a button or dialog. Until `reset`, the same change keeps its `Idempotency-Key`, so that
 * sending it again after a lost answer repeats nothing.
 */
export function useAction(): Action {
  const [isSending, setIsSending] = useState(false)
  const [failure, setFailure] = useState<RequestFailure>()
  const [key, setKey] = useState(newKey)
  return {
    isSending,
    failure,
    reset: () => {
      setFailure(undefined)
      setKey(newKey())
    },
    send: async <T>({ path, method = 'POST', body }: Change, done: (answer: T) => void) => {
      setIsSending(true)
      setFailure(undefined)
      try {
        const headers = method === 'POST' ? { 'Idempotency-Key': key } : {}
        done(await authorized<T>(path, { method, headers, ...(body !== undefined && { body }) }))
        setKey(newKey())
        changesDone.set(changesDone.get() + 1)
        return true
      } catch (error) {
        if (!(error instanceof RequestFailure)) throw error
        setFailure(error)
        // A refused change is another one once it is corrected; an unanswered one is the same.
        if (error.status >= 400 && error.status < 500) setKey(newKey())
        return false
      } finally {
        setIsSending(false)
      }
    },
  }
}

const newKey = (): string => crypto.randomUUID()
