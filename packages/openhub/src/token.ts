import { type Monotonic, Unavailable } from '@quipu/core'
import type { ExactJson, Reply } from '@quipu/http-json'
import { memberOf } from './fields.ts'

/** A token is renewed this long before it ends, so that it lasts while an order is on its way. */
const aheadMs = 120_000

export type TokenKeeper = {
  /**
   * A token with at least two minutes left, or a new one. One request serves all callers.
   *
   * @throws Unavailable without one, or when `signal` aborts first
   */
  get(signal?: AbortSignal): Promise<string>
  /** The gateway refused it: the next call gets another one. */
  drop(token: string): void
}

/** Keeps the token of one process. */
export function tokenKeeper(request: () => Promise<Reply>, monotonic: Monotonic): TokenKeeper {
  let kept: { readonly token: string; readonly endsAtMs: number } | undefined
  let renewal: Promise<string> | undefined
  const renew = async (): Promise<string> => {
    const sentAtMs = monotonic()
    const { token, lifeMs } = tokenIn(await request())
    kept = { token, endsAtMs: sentAtMs + lifeMs }
    return token
  }
  return {
    get(signal) {
      if (signal?.aborted) return Promise.reject(aborted())
      if (kept && kept.endsAtMs - monotonic() >= aheadMs) return Promise.resolve(kept.token)
      renewal ??= renew().finally(() => (renewal = undefined))
      return signal ? orAborted(renewal, signal) : renewal
    },
    drop(token) {
      if (kept?.token === token) kept = undefined
    },
  }
}

function tokenIn(reply: Reply): { readonly token: string; readonly lifeMs: number } {
  if (reply.type !== 'answered') throw new Unavailable('qr_network', `no token: ${reply.reason}`)
  const body = reply.body as ExactJson | undefined
  const token = memberOf(body, 'access_token')
  const { status } = reply
  if ((status !== 200 && status !== 201) || token === undefined || !/^[!-~]{1,4096}$/.test(token))
    throw new Unavailable('qr_network', `no token: status ${status}`)
  const seconds = memberOf(body, 'expires_in') ?? ''
  return { token, lifeMs: /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1000 : 0 }
}

const aborted = (): Unavailable => new Unavailable('qr_network', 'cancelled by the caller')

async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const ended = Promise.withResolvers<never>()
  const onAbort = (): void => ended.reject(aborted())
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([work, ended.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
