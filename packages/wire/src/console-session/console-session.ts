import { type ConsoleSession, hasRole, operatorRoles, type SessionRecord } from '@quipu/core/operator'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { pageOf } from '../list/list.ts'
import { matching, members } from '../json/fields.ts'
import { instantToJson } from '../json/instant.ts'
import { rowToJson } from '../json/row-to-json.ts'
import { mapParsed, parse, type Parsed } from '../json/parsed.ts'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { noBody, parseNoBody, parseNoQuery } from '../json/empty.ts'
import { operatorListQuery, parseOperatorList } from '../list/operator-list.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { created, lastPage, ok } from '../openapi/answers.ts'

const sessionOrigin = z
  .enum(['token', 'oidc'])
  .meta({ description: 'How it began: with an operator token, or at the OpenID provider.' })
const secondFactor = z
  .boolean()
  .meta({ description: 'Whether a code of the person opened it, or the provider, which asks for what it requires.' })

/** A session of the console. Browsers only: programs present the operator token itself. */
export const consoleSession = z.object({
  person: z.string(),
  role: z.enum(operatorRoles),
  rights: z.array(z.enum(operatorRoles)).meta({ description: 'The roles whose rights it has.' }),
  environment: z.string(),
  expires_at: time,
  origin: sessionOrigin,
  has_second_factor: secondFactor,
  csrf_token: z.string().meta({ description: 'Sent back as `X-CSRF-Token` with each change.' }),
})
export type ConsoleSessionJson = z.output<typeof consoleSession>

/** @param about  what the process knows besides the stored session */
export const consoleSessionToJson = (
  { token: { person, role }, expiresAt, origin, hasSecondFactor }: ConsoleSession,
  about: { readonly environment: string; readonly csrfToken: string },
): ConsoleSessionJson => ({
  person,
  role,
  rights: operatorRoles.filter((right) => hasRole(role, right)),
  environment: about.environment,
  expires_at: instantToJson(expiresAt),
  origin,
  has_second_factor: hasSecondFactor,
  csrf_token: about.csrfToken,
})

const code = matching(/^[0-9]{6}$/, 'must be the six digits of the authenticator app').meta({ examples: ['123456'] })

const signIn = members({
  code: code.optional(),
  token: matching(/^[\x21-\x7e]{1,512}$/, 'must be the operator token: 1 to 512 visible characters'),
})

/** A sign-in with an operator token, and with a code where the person has a second factor. */
export type SignInRequest = { readonly token: string; readonly code?: string | undefined }

/** Reads the body of `POST /operator/v1/session`. */
export const parseSignIn = (body: unknown): Parsed<SignInRequest> => parse(signIn, body)

const codeRequest = members({ code })

/** Reads the body of `POST /operator/v1/second-factor/confirm`. */
export const parseCode = (body: unknown): Parsed<string> => mapParsed(parse(codeRequest, body), (read) => read.code)

/** An open session of the console. */
export const sessionRecord = z
  .object({
    id: z.string().meta({ description: 'As audit entries name the session.', examples: ['5e5e5e5e5e5e5e5e'] }),
    person: z.string(),
    role: z.enum(operatorRoles),
    origin: sessionOrigin,
    has_second_factor: secondFactor,
    address: z
      .string()
      .nullable()
      .meta({ description: 'Where the sign-in came from.', examples: ['192.0.2.7'] }),
    browser: z.string().nullable().meta({ description: 'As it names itself.' }),
    created_at: time,
    seen_at: time.meta({ description: 'When the person last used it, to the minute.' }),
    expires_at: time,
    operator_token_id: idText('opt'),
  })
  .meta({ id: 'ConsoleSessionRecord' })
export type SessionRecordJson = z.output<typeof sessionRecord>
const sessionPage = pageOf(sessionRecord, 'ConsoleSessionPage')

export const sessionRecordToJson = (session: SessionRecord): SessionRecordJson =>
  rowToJson(sessionRecord, session, { operator_token_id: session.tokenId })

/** Whether the person has a second factor. */
const secondFactorState = z
  .object({
    confirmed_at: time.nullable().meta({ description: 'Since when it is required; null: the person has none.' }),
  })
  .meta({ id: 'SecondFactor' })
export type SecondFactorJson = z.output<typeof secondFactorState>

/** A secret that is shown once. */
const enrolment = z
  .object({
    uri: z
      .string()
      .meta({
        description: 'What authenticator apps read. Shown once.',
        examples: ['otpauth://totp/Quipu:ana?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Quipu'],
      }),
    qr: z
      .object({ d: z.string(), side: z.int() })
      .meta({ description: 'The same as a QR code: the `d` of an SVG path with strokes of width 1, and its side.' }),
  })
  .meta({ id: 'SecondFactorEnrolment' })
export type EnrolmentJson = z.output<typeof enrolment>

export const enrolmentToJson = (uri: string, qr: EnrolmentJson['qr']): EnrolmentJson => ({ uri, qr })

const tag = 'Sessions'
const factorTag = 'Second factors'
const at = (seconds: number): string => example.at(seconds).toISOString()

const open: SessionRecordJson = {
  id: '5e5e5e5e5e5e5e5e',
  person: 'olivia',
  role: 'admin',
  origin: 'oidc',
  has_second_factor: true,
  address: '192.0.2.7',
  browser: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
  created_at: at(0),
  seen_at: at(600),
  expires_at: at(43_200),
  operator_token_id: `opt_${example.ulid('0H')}`,
}

const list = operation({
  id: 'listSessions',
  tag,
  summary: 'List open sessions of the console, newest first',
  description: 'An admin reads all, others their own.',
  access: 'operator',
  query: operatorListQuery,
  answers: lastPage(sessionPage, [open], (each: SessionRecordJson) => each),
  refused: parseOperatorList('sessions', 'limit=0'),
})

const end = operation({
  id: 'endSession',
  tag,
  summary: 'End a session of the console',
  description: 'An admin ends any, others their own. It stops working at once.',
  access: 'operator',
  path: z.object({ id: matching(/^[0-9a-f]{16}$/, 'must be the id of a session').meta({ examples: [open.id] }) }),
  body: noBody,
  answers: { 204: { description: 'It has ended.' } },
  refused: parseNoBody({ reason: 'lost' }),
  errors: ['SESSION_NOT_FOUND'],
})

const read = operation({
  id: 'getSecondFactor',
  tag: factorTag,
  summary: 'Whether you have a second factor',
  access: 'operator',
  answers: ok('Since when.', secondFactorState, { none: { confirmed_at: null } }),
  refused: parseNoQuery('person=ana'),
})

const enrol = operation({
  id: 'enrolSecondFactor',
  tag: factorTag,
  summary: 'Make a second factor for yourself',
  description: 'Required when you sign in to the console, once you have confirmed it by a code.',
  access: 'operator',
  body: noBody,
  answers: created('The secret, shown once.', enrolment, {
    made: {
      uri: 'otpauth://totp/Quipu:ana?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Quipu',
      qr: { d: 'M4 4.5h7', side: 45 },
    },
  }),
  refused: parseNoBody({ person: 'ana' }),
  errors: ['SECOND_FACTOR_IN_EFFECT', 'SECOND_FACTOR_UNAVAILABLE'],
})

const confirm = operation({
  id: 'confirmSecondFactor',
  tag: factorTag,
  summary: 'Confirm the second factor by a code of it',
  access: 'operator',
  body: { schema: codeRequest, examples: { code: { code: '123456' } } },
  answers: ok('It is in effect.', secondFactorState, { now: { confirmed_at: at(60) } }),
  refused: parseCode({ code: '12' }),
  errors: ['SECOND_FACTOR_WRONG', 'SECOND_FACTOR_LOCKED'],
})

const remove = operation({
  id: 'removeSecondFactor',
  tag: factorTag,
  summary: 'Remove the second factor of a person who has lost it',
  description: 'For an admin, and of another person. The person’s sessions end.',
  access: 'operator',
  path: z.object({ person: z.string().meta({ examples: ['ana'] }) }),
  body: noBody,
  answers: { 204: { description: 'The person has none.' } },
  refused: parseNoBody({ reason: 'lost' }),
  errors: ['SECOND_FACTOR_NOT_FOUND'],
})

export const sessionPaths: ZodOpenApiPathsObject = {
  '/operator/v1/sessions': { get: list },
  '/operator/v1/sessions/{id}/end': { post: end },
  '/operator/v1/second-factor': { get: read, post: enrol },
  '/operator/v1/second-factor/confirm': { post: confirm },
  '/operator/v1/people/{person}/second-factor/remove': { post: remove },
}
