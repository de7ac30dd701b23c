import type { ApiKeyScope } from '@quipu/core'
import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi'
import { errorBody, errorToJson, operatorErrorBody } from '../error/error.ts'
import { type HttpErrorCode, type HttpErrorKind, httpErrors } from '../error/http-errors.ts'
import { operatorTokenRefused } from '../error/messages.ts'
import { formatParameter } from '../list/list-format.ts'
import type { Parsed } from '../json/parsed.ts'
import { type Text, bilingual } from '../text/text.ts'
import { completed, requestId } from './example.ts'
import { rateLimitHeaders, requestIdHeader, retryAfterHeader } from './header.ts'

export type Examples = Readonly<Record<string, unknown>>

/** A successful answer. Without a schema it has no body. */
export type Answer = {
  readonly description: Text | string
  readonly schema?: z.ZodType
  readonly examples?: Examples
  /** Default: `application/json`. */
  readonly mediaType?: string
  /** The same content as text. */
  readonly otherMediaTypes?: readonly string[]
  readonly headers?: z.core.$ZodLooseShape
}

/** Who may call: a key with a scope or with any, an operator, or everyone. */
export type Access = { readonly scope: ApiKeyScope | 'any' } | 'operator' | 'public'

export type Operation = Said & {
  readonly id: string
  readonly tag: string
  readonly path?: z.ZodObject
  readonly query?: z.ZodObject
  readonly header?: z.ZodObject
  readonly body?: { readonly schema: z.ZodType; readonly examples: Examples; readonly optional?: true }
  readonly answers: { readonly [Status in '200' | '201' | '202' | '204' | '503']?: Answer }
  /** The issues of a bad request: the example of the 400. */
  readonly refused?: Parsed<unknown>
  /** The codes of this operation; the common ones are added. */
  readonly errors?: readonly HttpErrorCode[]
}

/** Tenants read it in every language, operators in English. */
type Said =
  | { readonly access: Exclude<Access, 'operator'>; readonly summary: Text; readonly description?: Text }
  | { readonly access: 'operator'; readonly summary: string; readonly description?: string }

/** Describes an operation with every status and code that it may answer. */
export function operation(given: Operation): ZodOpenApiOperationObject {
  const described = isOperatorList(given) ? withCsv(given) : given
  const { id, tag, summary, description, access, path, query, header, body, answers } = described
  return {
    operationId: id,
    tags: [tag],
    ...bilingual({ summary, ...(description !== undefined && { description }) }),
    security: securityOf(access),
    requestParams: { ...(path && { path }), ...(query && { query }), ...(header && { header }) },
    ...(body && {
      requestBody: {
        required: body.optional !== true,
        content: { 'application/json': { schema: body.schema, examples: named(body.examples) } },
      },
    }),
    responses: { ...successes(answers), ...failures(described) },
  }
}

/** Whether operators read pages of it: the API answers each such list as CSV, too. */
function isOperatorList({ access, query, answers: { '200': page } }: Operation): boolean {
  const isPage = page?.schema instanceof z.ZodObject && 'next_cursor' in page.schema.shape
  return access === 'operator' && isPage && query !== undefined && !('format' in query.shape)
}

/** A list with the parameter `format`. */
function withCsv(list: Operation): Operation {
  const { '200': page = { description: 'A page.' } } = list.answers
  const query = (list.query ?? z.object({})).extend(formatParameter)
  return { ...list, query, answers: { '200': { ...page, otherMediaTypes: ['text/csv'] } } }
}

function securityOf(access: Access): Record<string, string[]>[] {
  if (access === 'public') return []
  return access === 'operator' ? [{ OperatorToken: [] }] : [{ ApiKey: access.scope === 'any' ? [] : [access.scope] }]
}

const named = (examples: Examples): Record<string, { value: unknown }> =>
  Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]))

const successes = (answers: Operation['answers']): ZodOpenApiResponsesObject =>
  Object.fromEntries(
    Object.entries(answers).map(
      ([status, { description, schema, examples, headers, mediaType, otherMediaTypes = [] }]) => [
        status,
        {
          ...bilingual({ description }),
          headers: z.object({ ...requestIdHeader, ...headers }),
          ...(schema && {
            content: {
              [mediaType ?? 'application/json']: { schema, ...(examples && { examples: named(examples) }) },
              ...Object.fromEntries(otherMediaTypes.map((type) => [type, { schema: z.string() }])),
            },
          }),
        },
      ],
    ),
  )

function failures({ access, body, errors = [], refused }: Operation): ZodOpenApiResponsesObject {
  const isPublic = access === 'public'
  const hasOwn503 = errors.includes('OPERATION_UNCERTAIN')
  const codes: readonly HttpErrorCode[] = [
    'VALIDATION_FAILED',
    ...guards(access),
    ...errors,
    ...(body ? (['BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(isPublic ? [] : (['RATE_LIMITED'] as const)),
    'INTERNAL_ERROR',
    ...(isPublic || hasOwn503 ? [] : (['SERVICE_UNAVAILABLE'] as const)),
  ]
  const byStatus = Map.groupBy(codes, (code) => httpErrors[code].status)
  return Object.fromEntries([...byStatus.values()].map((codes) => failure(codes, access, refused)))
}

function guards(access: Access): readonly HttpErrorCode[] {
  if (access === 'public') return []
  if (access === 'operator') return ['AUTHENTICATION_FAILED', 'ROLE_REQUIRED']
  const scope = access.scope === 'any' ? [] : (['SCOPE_REQUIRED'] as const)
  return ['AUTHENTICATION_FAILED', ...scope, 'ADDRESS_NOT_ALLOWED']
}

/** The codes whose answer may carry the tenant's own payout. */
const namesPayout: ReadonlySet<HttpErrorCode> = new Set(['QUOTE_ALREADY_USED', 'TRANSACTION_ID_REUSED'])

const listed = (codes: readonly HttpErrorCode[], messageOf: (code: HttpErrorCode) => string): string =>
  codes.map((code) => `\`${code}\`: ${messageOf(code)}`).join('\n\n')

const spanishOf = (code: HttpErrorCode): string => {
  const error: HttpErrorKind = httpErrors[code]
  return 'es' in error ? error.es : error.message
}

/** The status that these codes share, and the answer that carries one of them. */
export function failure(
  codes: readonly HttpErrorCode[],
  access: Access,
  refused?: Parsed<unknown>,
): [status: string, ZodOpenApiResponseObject] {
  const messageOf = (code: HttpErrorCode): string =>
    access === 'operator' && code === 'AUTHENTICATION_FAILED' ? operatorTokenRefused : httpErrors[code].message
  const bodyOf = (code: HttpErrorCode): unknown =>
    code === 'VALIDATION_FAILED' && refused && !refused.ok
      ? errorToJson({ code, requestId, issues: refused.issues })
      : errorToJson({
          code,
          requestId,
          message: messageOf(code),
          ...(namesPayout.has(code) && { payoutId: completed.id }),
        })
  const isLimit = codes.includes('RATE_LIMITED')
  const [first] = codes
  const status = first === undefined ? 'default' : String(httpErrors[first].status)
  const more = isLimit ? rateLimitHeaders : status === '503' ? retryAfterHeader : {}
  const answer: ZodOpenApiResponseObject = {
    ...bilingual({ description: { en: listed(codes, messageOf), es: listed(codes, spanishOf) } }),
    headers: z.object({ ...requestIdHeader, ...more }),
    content: {
      'application/json': {
        schema: access === 'operator' ? operatorErrorBody : errorBody,
        examples: named(Object.fromEntries(codes.map((code) => [code, bodyOf(code)]))),
      },
    },
  }
  return [status, answer]
}
