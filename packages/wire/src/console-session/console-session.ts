import { type ConsoleSession, hasRole, operatorRoles } from '@quipu/core/operator'
import { z } from 'zod'
import { time } from '../json/answer.ts'
import { matching, members } from '../json/fields.ts'
import { instantToJson } from '../json/instant.ts'
import { mapParsed, parse, type Parsed } from '../json/parsed.ts'

/** A session of the console. Browsers only: programs present the operator token itself. */
export const consoleSession = z.object({
  person: z.string(),
  role: z.enum(operatorRoles),
  rights: z.array(z.enum(operatorRoles)).meta({ description: 'The roles whose rights it has.' }),
  environment: z.string(),
  expires_at: time,
  csrf_token: z.string().meta({ description: 'Sent back as `X-CSRF-Token` with each change.' }),
})
export type ConsoleSessionJson = z.output<typeof consoleSession>

/** @param about  what the process knows besides the stored session */
export const consoleSessionToJson = (
  { token: { person, role }, expiresAt }: ConsoleSession,
  about: { readonly environment: string; readonly csrfToken: string },
): ConsoleSessionJson => ({
  person,
  role,
  rights: operatorRoles.filter((right) => hasRole(role, right)),
  environment: about.environment,
  expires_at: instantToJson(expiresAt),
  csrf_token: about.csrfToken,
})

const signIn = members({
  token: matching(/^[\x21-\x7e]{1,512}$/, 'must be the operator token: 1 to 512 visible characters'),
})

/** Reads the body of `POST /operator/v1/session`: the operator token. */
export const parseSignIn = (body: unknown): Parsed<string> => mapParsed(parse(signIn, body), ({ token }) => token)
