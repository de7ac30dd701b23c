import { type Clock, parseRate, type Rate, type RateSource, Unavailable } from '@quipu/core'
import type { RateReading } from '@quipu/core/adapter'
import { fetch } from 'undici'
import { type ExactJson, parseExactJson, textAt } from './exact-json.ts'
import { freshness, isFresh } from '../freshness.ts'
import { parseInstant } from './instant.ts'

export type HttpJsonRateOptions = {
  readonly url: string
  /** Where the BOB that one USDT fetches stands: `binancep2p.bid`, `data.0.adv.price`. */
  readonly bidPath: string
  /**
   * Where the source's own time stands: unix seconds, unix milliseconds, or ISO 8601 with a zone.
   * Without it the time of asking is taken, and a source that stands still cannot be noticed.
   */
  readonly timePath?: string
  /** The host of the URL by default. */
  readonly name?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly now: Clock
  /** For the whole answer; 5 s by default. */
  readonly timeoutMs?: number
  /** 256 KiB by default. */
  readonly bytesMax?: number
  /** 180 by default. */
  readonly staleSeconds?: number
}

/**
 * The bid of any JSON API, asked at every call. The bid is read from the text of the answer and
 * cut after its fourth fraction digit; exponents are refused.
 */
export function httpJsonRate(options: HttpJsonRateOptions): RateSource {
  const { url, now, name = new URL(url).host, staleSeconds = freshness.staleSeconds } = options
  const refuse = (reason: string, cause?: unknown): Unavailable =>
    new Unavailable('rate_source', `${name}: ${reason}`, { cause })
  const read = (json: ExactJson): RateReading => {
    const bid = bidOf(textAt(json, options.bidPath))
    if (bid === undefined) throw refuse('no bid')
    const { timePath } = options
    const observedAt = timePath === undefined ? now() : parseInstant(textAt(json, timePath) ?? '')
    if (!observedAt) throw refuse('no time')
    return { bid, source: name, observedAt }
  }
  return {
    async current() {
      const text = await get(options).catch((error: unknown) => {
        throw refuse(error instanceof Error ? error.message : 'no answer', error)
      })
      const reading = read(jsonOf(text) ?? null)
      if (!isFresh(reading, now(), { ...freshness, staleSeconds })) {
        throw refuse(`its time is ${reading.observedAt.toISOString()}`)
      }
      return reading
    },
  }
}

async function get(options: HttpJsonRateOptions): Promise<string> {
  const { url, headers = {}, timeoutMs = 5_000, bytesMax = 256 * 1024 } = options
  const response = await fetch(url, {
    headers: { accept: 'application/json', ...headers },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`status ${response.status}`)
  }
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let size = 0
  let text = ''
  const body: AsyncIterable<Uint8Array> | null = response.body
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > bytesMax) throw new Error(`over ${bytesMax} bytes`) // Ends the loop and the body.
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
