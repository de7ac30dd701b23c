import type { RequestHandler } from 'express'
import type { Answer } from '../http/answer.ts'
import { ApiError } from '../http/api-error.ts'
import { type Endpoint, endpoint, type Input } from '../http/endpoint.ts'
import { operatorOf } from './operator-tokens.ts'

type Allowed<Body, Query> = Omit<Endpoint<Body, Query>, 'handle'> & {
  /** @param actor  the token's name */
  handle(actor: string, input: Input<Body, Query>): Promise<Answer> | Answer
}

/** An endpoint for whoever may read, or may write; asked before the body is looked at. */
export function allowed<Body = undefined, Query = undefined>(
  to: 'read' | 'write',
  { handle, ...reads }: Allowed<Body, Query>,
): RequestHandler {
  const answer = endpoint<Body, Query>({
    ...reads,
    handle: (input) => handle(operatorOf(input.res).name, input),
  })
  return (req, res, next) => {
    if (to === 'write' && operatorOf(res).role === 'viewer') throw new ApiError('ROLE_REQUIRED')
    return answer(req, res, next)
  }
}
