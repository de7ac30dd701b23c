import type { RequestHandler, Response } from 'express'
import type { Answer } from '../http/answer.ts'
import { ApiError } from '../http/api-error.ts'
import { type Endpoint, endpoint, type Input } from '../http/endpoint.ts'
import { operatorOf, type OperatorRole, operatorRoles } from './operator-tokens.ts'

type Allowed<Body, Query> = Omit<Endpoint<Body, Query>, 'handle'> & {
  /** Whether a valid body needs the role `admin`. Left out: none does. */
  readonly isForAdmins?: (body: Body) => boolean
  /** @param actor  name of the token */
  handle(actor: string, input: Input<Body, Query>): Promise<Answer> | Answer
}

/** An endpoint for a role and the roles above it; checked before the body is read. */
export function allowed<Body = undefined, Query = undefined>(
  role: OperatorRole,
  { isForAdmins, handle, ...reads }: Allowed<Body, Query>,
): RequestHandler {
  const answer = endpoint<Body, Query>({
    ...reads,
    handle(input) {
      if (isForAdmins?.(input.body)) requireRole(input.res, 'admin')
      return handle(operatorOf(input.res).name, input)
    },
  })
  return (req, res, next) => {
    requireRole(res, role)
    return answer(req, res, next)
  }
}

/** @throws ApiError 403 when the token's role is below this one */
function requireRole(res: Response, role: OperatorRole): void {
  const own = operatorOf(res).role
  if (operatorRoles.indexOf(own) >= operatorRoles.indexOf(role)) return
  throw new ApiError('ROLE_REQUIRED', {
    message: `This needs the role ${role}; the role of the operator token is ${own}.`,
  })
}
