import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sha256 } from '@quipu/core/adapter'
import type { Response } from 'express'
import { contextOf } from './context.ts'

export type Answer = {
  readonly status: number
  /** An answer has one of `json`, `jsonText`, `text` and `chunks`, or no body. */
  readonly json?: unknown
  /** Encoded JSON. */
  readonly jsonText?: string
  /** Its media type is in `headers`. */
  readonly text?: string
  /** A text that is read while it is sent, at the caller's pace. Its media type is in `headers`. */
  readonly chunks?: AsyncIterable<string>
  /** Read after the last of `chunks`: how many rows they had. */
  readonly rowCount?: () => number
  readonly headers?: Readonly<Record<string, string>>
  /** Values of `Set-Cookie`, beside the one of `headers`. */
  readonly cookies?: readonly string[]
}

/** Writes an answer at once, without Express's ETag and content negotiation. */
export function send(res: Response, { status, json, jsonText, text, headers, cookies }: Answer): void {
  start(res, status, headers)
  if (cookies) res.setHeader('Set-Cookie', cookies)
  if (json !== undefined) sendJson(res, JSON.stringify(json))
  else if (jsonText !== undefined) sendJson(res, jsonText)
  else if (text !== undefined) end(res, text)
  else res.end()
}

/** Names how many rows a complete text has: the trailer of an answer with `chunks`. */
const rowCountTrailer = 'X-Row-Count'

/**
 * Writes an answer with `chunks`. When reading them fails, the connection is cut: the text has neither its last chunk nor
 * its trailer.
 */
export async function sendChunks(
  res: Response,
  { status, headers, rowCount }: Answer,
  chunks: AsyncIterable<string>,
): Promise<void> {
  start(res, status, { ...headers, ...(rowCount && { Trailer: rowCountTrailer }) })
  const counted = async function* () {
    yield* chunks
    if (rowCount) res.addTrailers({ [rowCountTrailer]: String(rowCount()) })
  }
  await pipeline(Readable.from(counted()), res).catch((error: unknown) => {
    if (!hasDisconnected(error)) throw error
  })
}

const hasDisconnected = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'

function start(res: Response, status: number, headers: Answer['headers'] = {}): void {
  res.statusCode = status
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
}

function sendJson(res: Response, text: string): void {
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  end(res, text)
}

function end(res: Response, text: string): void {
  const context = contextOf(res)
  if (context.tenantId !== undefined) context.answerDigest = sha256(text)
  res.setHeader('Content-Length', Buffer.byteLength(text))
  res.end(text)
}
