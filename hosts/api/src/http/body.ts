import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { sha256 } from '@quipu/core/adapter'
import { bodyBytesMax, type Issue } from '@quipu/wire'
import { ApiError } from './api-error.ts'
import { repeatedMembers } from './repeated-members.ts'

/** A refused body is read and discarded up to this size, so that its sender receives the answer. */
const drainedBytesMax = 1024 * 1024

/** The caller disconnected before its request was complete. */
export class RequestAborted extends Error {
  override readonly name = 'RequestAborted'
}

/**
 * Reads the raw body.
 *
 * @throws ApiError 413 when it is larger than `bodyBytesMax`
 */
export function readBody(req: IncomingMessage): Promise<Buffer> {
  if (Number(req.headers['content-length']) > drainedBytesMax) return Promise.reject(tooLarge(true))
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    req.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= bodyBytesMax) chunks.push(chunk)
      else if (size > drainedBytesMax) reject(tooLarge(true))
    })
    req.on('end', () => {
      if (size > bodyBytesMax) reject(tooLarge(false))
      else resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))
    })
    const broke = (): void => reject(new RequestAborted('the caller disconnected before the request was complete'))
    req.on('error', broke)
    if (req.destroyed) broke() // Closed during the key lookup: no event follows.
  })
}

/** A body as `JSON.parse` gives it, undefined without one, what is wrong with its text, and its digest. */
export type JsonBody = { readonly json: unknown; readonly issues: readonly Issue[]; readonly digest?: string }

/**
 * Reads a JSON body.
 *
 * @returns with issues when it is not JSON in UTF-8 or repeats a member
 * @throws ApiError 413 or 415
 */
export async function readJson(req: IncomingMessage): Promise<JsonBody> {
  const body = await readBody(req)
  if (body.length === 0) return { json: undefined, issues: [] }
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = req.headers
  if (!jsonType.test(type) || encoding.toLowerCase() !== 'identity') throw unsupported()
  return { ...(isUtf8(body) ? parsed(body.toString('utf8')) : malformed), digest: sha256(body) }
}

function parsed(text: string): JsonBody {
  try {
    const json: unknown = JSON.parse(text)
    const repeated = repeatedMembers(text, json)
    return { json, issues: repeated.map((field) => ({ field, message: 'must not be repeated' })) }
  } catch {
    return malformed
  }
}

const jsonType = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?$/i

const malformed: JsonBody = { json: undefined, issues: [{ field: 'body', message: 'must be JSON in UTF-8' }] }

const unsupported = (): ApiError => new ApiError('UNSUPPORTED_MEDIA_TYPE')

const tooLarge = (isClosing: boolean): ApiError =>
  new ApiError('BODY_TOO_LARGE', { headers: isClosing ? { Connection: 'close' } : {} })
