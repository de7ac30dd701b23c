import { exitCodes, CommandError, usageError } from '../exit.ts'
import type { Connection } from './connection.ts'

/** A request to the operator API. */
export type ApiRequest = {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** An answer with a status below 300. */
export type ApiAnswer = {
  readonly status: number
  readonly text: string
  /** Undefined if the answer is not JSON. */
  readonly json: unknown
}

/** An answer of the API that is an error. */
export type ErrorAnswer = {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details: readonly { readonly field: string; readonly message: string }[]
  readonly requestId: string | undefined
  /** The answer's body. */
  readonly text: string
}

/** The API refused the request, or could not answer it. */
export class ApiError extends CommandError {
  readonly error: ErrorAnswer
  /** The options that the command line has for the API's members, by their names. */
  readonly flags: ReadonlyMap<string, string>
  constructor(error: ErrorAnswer, flags: ReadonlyMap<string, string> = new Map()) {
    super(error.status >= 500 || error.status === 429 ? exitCodes.unavailable : exitCodes.refused, error.message)
    this.error = error
    this.flags = flags
  }
}

export type CallApi = (request: ApiRequest) => Promise<ApiAnswer>

/** Calls with the connection's token. @throws ApiError, CommandError */
export function callApi({ url, token }: Connection, timeoutMs: number): CallApi {
  return async ({ method, path, headers, body }) => {
    const response = await send(`${url}${path}`, {
      method: method.toUpperCase(),
      headers: {
        accept: 'application/json, text/*;q=0.9, */*;q=0.8',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'error', // A redirect would carry the token elsewhere.
      signal: AbortSignal.timeout(timeoutMs),
    })
    const { status, text } = response
    if (status >= 300) throw errorOf(status, text)
    return { status, text, json: jsonOf(text) }
  }
}

async function send(url: string, init: RequestInit): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(url, init)
    return { status: response.status, text: await response.text() }
  } catch (error) {
    const isWrite = init.method !== 'GET'
    const unsure = isWrite ? ' It is not known whether the request was executed: look before you repeat it.' : ''
    throw new CommandError(exitCodes.unavailable, `${new URL(url).origin} did not answer: ${reasonOf(error)}.${unsure}`)
  }
}

/** fetch hides the reason in the cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  if (error.name === 'TimeoutError') return 'timeout'
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type ErrorJson = {
  readonly error?: {
    readonly code?: string
    readonly message?: string
    readonly details?: ErrorAnswer['details']
    readonly request_id?: string
  }
}

/** The error of an answer with a status of 300 or more. */
export function errorOf(status: number, text: string): ApiError {
  const { error = {} } = (jsonOf(text) ?? {}) as ErrorJson
  return new ApiError({
    status,
    code: error.code ?? `HTTP ${status}`,
    message: error.message ?? 'the answer has no error of this API: is this its URL?',
    details: error.details ?? [],
    requestId: error.request_id,
    text,
  })
}

/** Refuses a call without a token before it is sent. @throws CommandError */
export function requireToken({ token }: Connection): void {
  if (token === undefined || token === '')
    throw usageError(
      'No operator token: set QUIPU_OPERATOR_TOKEN, or name a file that only you can read in QUIPU_OPERATOR_TOKEN_FILE or --token-file.',
    )
}
