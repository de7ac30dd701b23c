import type { Request } from 'express'
import { type Parsed, parseRepeatable, type Repeatable } from '@quipu/wire'
import type { Answer } from '../http/answer.ts'

/** Parses the body of a request that an operator may send again, with its `Idempotency-Key`. */
export const repeatable =
  <Body>(parseBody: (json: unknown) => Parsed<Body>) =>
  (json: unknown, req: Request): Parsed<Repeatable<Body>> => {
    const key = req.get('Idempotency-Key')
    const from = { json, path: req.path, ...(key !== undefined && { key }) }
    return parseRepeatable(parseBody(json), from)
  }

/** Marks the answer to a request that had been sent before. */
export const replayedAnswer = (answer: Answer, replayed = false): Answer =>
  replayed ? { ...answer, headers: { 'Idempotent-Replayed': 'true' } } : answer
