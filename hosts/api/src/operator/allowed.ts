import type { RequestHandler, Response } from 'express'
import type { Page, PageQuery } from '@quipu/core'
import { hasRole, type Operator, type OperatorRole } from '@quipu/core/operator'
import { type ListRequest, pageToJson, type Parsed } from '@quipu/wire'
import type { Answer } from '../http/answer.ts'
import { ApiError } from '../http/api-error.ts'
import { type Endpoint, endpoint, type Input } from '../http/endpoint.ts'
import { operatorOf } from './session/operator-authentication.ts'

type Allowed<Body, Query> = Omit<Endpoint<Body, Query>, 'handle'> & {
  /** Whether a valid body needs the role `admin`. Left out: none does. */
  readonly isForAdmins?: (body: Body) => boolean
  /** @param actor  the person who sent the request */
  handle(actor: Operator, input: Input<Body, Query>): Promise<Answer> | Answer
}

/** An endpoint for every role that has the rights of this one; checked before the body is read. */
export function allowed<Body = undefined, Query = undefined>(
  role: OperatorRole,
  { isForAdmins, handle, ...reads }: Allowed<Body, Query>,
): RequestHandler {
  const answer = endpoint<Body, Query>({
    ...reads,
    handle(input) {
      if (isForAdmins?.(input.body)) requireRole(input.res, 'admin')
      return handle(operatorOf(input.res), input)
    },
  })
  return (req, res, next) => {
    requireRole(res, role)
    return answer(req, res, next)
  }
}

type AllowedPage<Q extends PageQuery, Item> = {
  readonly query: (search: string) => Parsed<ListRequest<Q>>
  list(query: Q): Promise<Page<Item>>
  toJson(item: Item): object
}

/** A page of a list, for every role that has the rights of this one. @source spec §4 and §8 */
export const allowedPage = <Q extends PageQuery, Item>(
  role: OperatorRole,
  { query: parseQuery, list, toJson }: AllowedPage<Q, Item>,
): RequestHandler =>
  allowed<undefined, ListRequest<Q>>(role, {
    query: parseQuery,
    handle: async (_actor, { query: { query, scope } }) => ({
      status: 200,
      json: pageToJson(await list(query), toJson, scope),
    }),
  })

/** @throws ApiError 403 when the token's role lacks the rights of this one */
function requireRole(res: Response, role: OperatorRole): void {
  const own = operatorOf(res).role
  if (hasRole(own, role)) return
  throw new ApiError('ROLE_REQUIRED', {
    message: `This needs the role ${role}; the role of the operator token is ${own}.`,
  })
}
