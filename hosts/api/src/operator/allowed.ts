import type { Request, RequestHandler, Response } from 'express'
import type { Page, PageQuery } from '@quipu/core'
import type { PagePosition } from '@quipu/core/adapter'
import { hasRole, type Operator, type OperatorRole } from '@quipu/core/operator'
import {
  type Formatted,
  type HttpErrorCode,
  type ListRequest,
  operatorCsv,
  pageToJson,
  parseFormatted,
  type Parsed,
} from '@quipu/wire'
import type { Answer } from '../http/answer.ts'
import { ApiError } from '../http/api-error.ts'
import { csvAnswer, csvChunkRows, isJson, rowsOf } from '../http/csv-answer.ts'
import { type Endpoint, endpoint, type Input } from '../http/endpoint.ts'
import { auditedExport } from './audited-export.ts'
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
    async handle(input) {
      const { req, res, body } = input
      if (isForAdmins?.(body)) requireRole(res, 'admin')
      const found = await handle(operatorOf(res), input)
      return req.method === 'HEAD' ? found : auditedExport(res, found)
    },
  })
  return (req, res, next) => {
    requireRole(res, role)
    return answer(req, res, next)
  }
}

/** One record, for every role that has the rights of this one. @param code  the answer where there is none */
export const allowedRecord = <Record>(
  role: OperatorRole,
  code: HttpErrorCode,
  find: (req: Request) => Promise<Record | undefined>,
  toJson: (record: Record) => object,
): RequestHandler =>
  allowed(role, {
    async handle(_actor, { req }) {
      const record = await find(req)
      if (record === undefined) throw new ApiError(code)
      return { status: 200, json: toJson(record) }
    },
  })

type AllowedPage<Q extends PageQuery, Item> = {
  readonly query: (search: string, req: Request) => Parsed<ListRequest<Q>>
  list(query: Q, req: Request): Promise<Page<Item>>
  toJson(item: Item): object
  /** How many rows of CSV are read at once. Default: `csvChunkRows`. */
  readonly chunkRows?: number
}

/** A page of a list, or all of it as CSV, for every role that has the rights of this one. @source spec §4 and §8 */
export const allowedPage = <Q extends PageQuery, Item>(
  role: OperatorRole,
  { query: parseQuery, list, toJson, chunkRows = csvChunkRows }: AllowedPage<Q, Item>,
): RequestHandler =>
  allowed<undefined, Formatted<ListRequest<Q>>>(role, {
    query: (search, { req }) => parseFormatted(search, (rest) => parseQuery(rest, req)),
    async handle(_actor, { req, res, query: { format, list: asked } }) {
      const { query, scope } = asked
      if (isJson(req, format)) return { status: 200, json: pageToJson(await list(query, req), toJson, scope) }
      const { after: _, ...filters } = { ...query, limit: chunkRows }
      const read = (after?: PagePosition) => list({ ...filters, ...(after && { after }) } as Q, req)
      return csvAnswer(
        scope.list,
        operatorCsv(scope.list),
        rowsOf(read, await read(), () => res.destroyed),
        toJson,
      )
    },
  })

/** @throws ApiError 403 when the token's role lacks the rights of this one */
function requireRole(res: Response, role: OperatorRole): void {
  const own = operatorOf(res).role
  if (hasRole(own, role)) return
  throw new ApiError('ROLE_REQUIRED', {
    message: `This needs the role ${role}; the role of the operator token is ${own}.`,
  })
}
