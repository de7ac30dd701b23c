import type { Response } from 'express'

export type Answer = {
  readonly status: number
  /** Left out: an answer without a body. */
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Writes an answer in one go: no etag, no negotiation, the JSON made once. */
export function send(res: Response, { status, json, headers }: Answer): void {
  res.statusCode = status
  if (headers) for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  if (json === undefined) {
    res.end()
    return
  }
  sendText(res, JSON.stringify(json))
}

/** Ends the response with JSON text that is made already. */
export function sendText(res: Response, text: string): void {
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  res.setHeader('Content-Length', Buffer.byteLength(text))
  res.end(text)
}
