import { vi } from 'vitest'
import { type Quipu, quipu, type QuipuOptions } from './index.ts'

/** The answer of `fetch` to one request. */
export type Step = () => Promise<Response>

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Step =>
  async () =>
    new Response(JSON.stringify(body), { status, headers })

export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Step =>
  json(status, { error: { code, message: 'No.', request_id: 'req_1' } }, headers)

export const raw =
  (status: number, text: string): Step =>
  async () =>
    new Response(text, { status })

export const noContent: Step = async () => new Response(null, { status: 204 })

const failed =
  (code: string): Step =>
  () => {
    const cause = Object.assign(new Error(code), { code })
    return Promise.reject(new TypeError('fetch failed', { cause }))
  }
export const unreachable: Step = failed('ECONNREFUSED')
export const lost: Step = failed('ECONNRESET')

export type Sent = {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: string | undefined
  readonly redirect: string | undefined
  /** Since the client was created. */
  readonly afterMs: number
}

export type Scripted = { readonly client: Quipu; readonly sent: readonly Sent[] }

export const baseUrl = 'https://api.example.com'

/** A client whose requests get these answers in turn; the last step answers all further requests. */
export function scripted(steps: readonly Step[], options: Partial<QuipuOptions> = {}): Scripted {
  const sent: Sent[] = []
  const start = performance.now()
  const fetch: typeof globalThis.fetch = (input, init = {}) => {
    const step = steps[Math.min(sent.length, steps.length - 1)]
    sent.push({
      method: init.method ?? 'GET',
      url: new Request(input).url.replace(baseUrl, ''),
      headers: new Headers(init.headers),
      body: init.body as string | undefined,
      redirect: init.redirect,
      afterMs: performance.now() - start,
    })
    return Promise.race([step?.() ?? new Promise<never>(() => undefined), aborted(init.signal)])
  }
  return { client: quipu({ apiKey: 'qpu_test_key', baseUrl, fetch, ...options }), sent }
}

const aborted = (signal: AbortSignal | null | undefined): Promise<never> =>
  new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')))
  })

/** Never answers. */
export const silent: Step = () => new Promise<never>(() => undefined)

/** Advances the fake timers until the promise has settled. @returns its value or error */
export async function outcomeOf<T>(promise: Promise<T>): Promise<T | Error> {
  let settled = false
  const outcome = promise
    .catch((error: unknown) => error as Error)
    .finally(() => {
      settled = true
    })
  while (!settled) await vi.advanceTimersByTimeAsync(100)
  return outcome
}
