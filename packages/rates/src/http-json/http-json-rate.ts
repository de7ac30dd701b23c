import { type Clock, parseRate, type Rate, type RateSource, type Unavailable } from '@quipu/core'
import type { RateReading } from '@quipu/core/adapter'
import { type ExactJson, parseExactJson, textAt } from '@quipu/http-json'
import { inHttpSpan } from '@quipu/tracing'
import { fetch, type Response } from 'undici'
import { freshness, isFresh } from '../freshness.ts'
import { reportOf, sourceUnavailable } from '../source-report.ts'
import { parseInstant } from './instant.ts'

/** The URL of a rate, and the paths of its members. */
export type HttpJsonRateOptions = {
  readonly url: string
  /** Path of the bid in BOB per USDT, such as `binancep2p.bid` or `data.0.adv.price`. */
  readonly bidPath: string
  /**
   * Path of the source's time: unix seconds, unix milliseconds, or ISO 8601 with a time zone. Without
   * it the time of the request counts, and a stalled source is not detected.
   */
  readonly timePath?: string
  /** The host of the URL by default. */
  readonly name?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly now: Clock
  /** Deadline of a request; 5 s by default. */
  readonly timeoutMs?: number
  /** Maximum size of an answer; 256 KiB by default. */
  readonly bytesMax?: number
  /** Maximum age of a reading; 180 by default. */
  readonly staleSeconds?: number
}

/**
 * The bid of a JSON API, requested at every call. The bid is parsed from the original text and
 * truncated to four fraction digits; exponents are refused.
 */
export function httpJsonRate(options: HttpJsonRateOptions): Required<RateSource> {
  const { url, now, name = new URL(url).host, staleSeconds = freshness.staleSeconds } = options
  const unavailable = (reason: string, cause?: unknown): Unavailable => sourceUnavailable(name, reason, null, cause)
  const read = (json: ExactJson): RateReading => {
    const bid = bidOf(textAt(json, options.bidPath))
    if (bid === undefined) throw unavailable('no valid bid')
    const { timePath } = options
    const observedAt = timePath === undefined ? now() : parseInstant(textAt(json, timePath) ?? '')
    if (!observedAt) throw unavailable('no valid time')
    return { bid, source: name, observedAt }
  }
  const source: Required<RateSource> = {
    async current() {
      const text = await get(options).catch((error: unknown) => {
        throw unavailable(error instanceof Error ? error.message : 'no answer', error)
      })
      const reading = read(jsonOf(text) ?? null)
      if (!isFresh(reading, now(), { ...freshness, staleSeconds })) {
        const problem = `stale or future time ${reading.observedAt.toISOString()}`
        throw sourceUnavailable(name, problem, reading)
      }
      return reading
    },
    report: async () => ({ sources: [await reportOf(source, name)], agreement: null }),
  }
  return source
}

async function get(options: HttpJsonRateOptions): Promise<string> {
  const { url, headers = {}, timeoutMs = 5_000, bytesMax = 256 * 1024 } = options
  const response = await inHttpSpan(
    { scope: '@quipu/rates', method: 'GET', url: new URL(url) },
    (traceHeaders) =>
      fetch(url, {
        headers: { accept: 'application/json', ...headers, ...traceHeaders },
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      }),
    ({ status }: Response) => ({ status }),
  )
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`status ${response.status}`)
  }
  const decoder = new TextDecoder() // A damaged byte of another member does not matter.
  let size = 0
  let text = ''
  const body: AsyncIterable<Uint8Array> | null = response.body
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > bytesMax) throw new Error(`answer over ${bytesMax} bytes`) // Also cancels the body.
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function jsonOf(text: string): ExactJson | undefined {
  try {
    return parseExactJson(text)
  } catch {
    return undefined
  }
}

function bidOf(text: string | undefined): Rate | undefined {
  const bid = parseRate(text ?? '')
  return bid !== undefined && bid > 0n ? bid : undefined
}
