import type { Response } from 'express'

export type Answer = {
  readonly status: number
  /** An answer has one of `json`, `jsonText` and `text`, or no body. */
  readonly json?: unknown
  /** Encoded JSON. */
  readonly jsonText?: string
  /** Its media type is in `headers`. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Writes an answer at once, without Express's ETag and content negotiation. */
export function send(res: Response, { status, json, jsonText, text, headers }: Answer): void {
  res.statusCode = status
  if (headers) for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  if (json !== undefined) sendJson(res, JSON.stringify(json))
  else if (jsonText !== undefined) sendJson(res, jsonText)
  else if (text !== undefined) end(res, text)
  else res.end()
}

function sendJson(res: Response, text: string): void {
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  end(res, text)
}

function end(res: Response, text: string): void {
  res.setHeader('Content-Length', Buffer.byteLength(text))
  res.end(text)
}
