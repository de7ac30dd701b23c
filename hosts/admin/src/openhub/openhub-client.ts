import { parseExactJson, textAt } from '@quipu/http-json'

/** Where and as whom OpenHub is called. */
export type OpenHubAccess = {
  readonly url: string
  readonly clientId: string
  /** The value of the header `Authorization` for a token, after `Basic `. */
  readonly basic: string
  readonly nit: string
  readonly account: string
  readonly tokenPath: string
  readonly qrPath: string
  readonly accountsPath: string
}

/** A request and its answer, or why there is none. */
export type Exchange = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly request: string
  readonly at: string
  readonly durationMs: number
} & (
  | { readonly status: number; readonly contentType: string | null; readonly body: string }
  | { readonly failure: string }
)

/** The text, or the digits of the number, at a path such as `data.estado`. Undefined when the answer has none. */
export function answered(exchange: Exchange | undefined, path: string): string | undefined {
  if (exchange === undefined || 'failure' in exchange) return undefined
  try {
    return textAt(parseExactJson(exchange.body), path)
  } catch {
    return undefined // It is no JSON.
  }
}

/** Calls OpenHub. Nothing is sent twice, whatever is answered. */
export type OpenHubClient = {
  token(): Promise<Exchange>
  qr(method: 'GET' | 'POST', path: string, token: string, body?: string): Promise<Exchange>
  account(path: string, token: string, body: string): Promise<Exchange>
}

/** Longer than ATC recommends for any call. */
const timeoutMs = 100_000

export function openHubClient(access: OpenHubAccess, now: () => Date): OpenHubClient {
  const base = access.url.replace(/\/$/, '')
  const { tokenPath, qrPath, accountsPath } = access
  const send = async (
    method: Exchange['method'],
    path: string,
    headers: Readonly<Record<string, string>>,
    request: string,
  ): Promise<Exchange> => {
    const [at, started] = [now().toISOString(), performance.now()]
    const sent = { method, path, request, at }
    const took = (): number => Math.round(performance.now() - started)
    try {
      const init = { method, headers, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) } as const
      const response = await fetch(`${base}/${path}`, method === 'GET' ? init : { ...init, body: request })
      const body = await response.text()
      const contentType = response.headers.get('content-type')
      return { ...sent, durationMs: took(), status: response.status, contentType, body }
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
      return { ...sent, durationMs: took(), failure: cause instanceof Error ? cause.message : String(cause) }
    }
  }
  const accept = { Accept: 'application/json' }
  const call = (method: Exchange['method'], path: string, token: string, body = ''): Promise<Exchange> => {
    const json = { ...accept, 'Content-Type': 'application/json' }
    return send(method, path, { ...json, access_token: token, client_id: access.clientId }, body)
  }
  return {
    token: () => {
      const form = { ...accept, 'Content-Type': 'application/x-www-form-urlencoded' }
      const path = `${tokenPath}?grant_type=client_credentials`
      return send('POST', path, { ...form, Authorization: `Basic ${access.basic}` }, '')
    },
    qr: (method, path, token, body) => call(method, `${qrPath}/${path}`, token, body),
    account: (path, token, body) => call('POST', `${accountsPath}/${path}`, token, body),
  }
}
