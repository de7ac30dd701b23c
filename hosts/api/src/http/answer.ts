import type { Response } from 'express'

export type Answer = {
  readonly status: number
  /** Neither this nor `text`: an answer without a body. */
  readonly json?: unknown
  /** Instead of JSON; `headers` has its type. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Writes an answer in one go: no etag, no negotiation, the JSON made once. */
export function send(res: Response, { status, json, text, headers }: Answer): void {
  res.statusCode = status
  if (headers) for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  if (json !== undefined) sendJson(res, JSON.stringify(json))
  else if (text !== undefined) end(res, text)
  else res.end()
}

/** Ends the response with JSON text that is made already. */
export function sendJson(res: Response, text: string): void {
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  end(res, text)
}

function end(res: Response, text: string): void {
  res.setHeader('Content-Length', Buffer.byteLength(text))
  res.end(text)
}
