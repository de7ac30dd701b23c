import type { Response } from 'express'

export type Answer = {
  readonly status: number
  /** None of this and the next two: an answer without a body. */
  readonly json?: unknown
  /** JSON that is made already, instead. */
  readonly jsonText?: string
  /** Instead of JSON; `headers` has its type. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Writes an answer in one go: no etag, no negotiation, the JSON made once. */
export function send(res: Response, { status, json, jsonText, text, headers }: Answer): void {
  res.statusCode = status
  if (headers) for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  if (json !== undefined) sendJson(res, JSON.stringify(json))
  else if (jsonText !== undefined) sendJson(res, jsonText)
  else if (text !== undefined) end(res, text)
  else res.end()
}

/** Ends the response with JSON text that is made already. */
function sendJson(res: Response, text: string): void {
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  end(res, text)
}

function end(res: Response, text: string): void {
  res.setHeader('Content-Length', Buffer.byteLength(text))
  res.end(text)
}
