import { type ConsoleSession, hasRole, operatorRoles, type SessionRecord } from '@quipu/core/operator'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { pageOf } from '../list/list.ts'
import { matching, members } from '../json/fields.ts'
import { instantToJson } from '../json/instant.ts'
import { mapParsed, parse, type Parsed } from '../json/parsed.ts'

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

/** The body of `POST /operator/v1/second-factor/confirm`. */
export const codeRequest = members({ code })

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
export const sessionPage = pageOf(sessionRecord, 'ConsoleSessionPage')

export const sessionRecordToJson = (session: SessionRecord): SessionRecordJson => ({
  id: session.id,
  person: session.person,
  role: session.role,
  origin: session.origin,
  has_second_factor: session.hasSecondFactor,
  address: session.address,
  browser: session.browser,
  created_at: instantToJson(session.createdAt),
  seen_at: instantToJson(session.seenAt),
  expires_at: instantToJson(session.expiresAt),
  operator_token_id: session.tokenId,
})

/** Whether the person has a second factor. */
export const secondFactorState = z
  .object({
    confirmed_at: time.nullable().meta({ description: 'Since when it is required; null: the person has none.' }),
  })
  .meta({ id: 'SecondFactor' })
export type SecondFactorJson = z.output<typeof secondFactorState>

/** A secret that is shown once. */
export const enrolment = z
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
