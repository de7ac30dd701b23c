import {
  type OperatorToken,
  operatorRoles,
  type OperatorTokenRequest,
  personPattern,
  type ProposalNote,
} from '@quipu/core/operator'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { instant, matching, members, nameText, oneOf } from '../json/fields.ts'
import { floorToMs, instantToJson, parseInstant } from '../json/instant.ts'
import { mapParsed, parse, type Parsed } from '../json/parsed.ts'
import { pageOf } from '../list/list.ts'
import { noteMembers } from '../json/note.ts'

const personRule =
  'must be 1 to 64 lowercase letters, digits, dots, underscores, hyphens or at signs, and begin with a letter or digit'
const hashRule = 'must be a SHA-256: 64 lowercase hexadecimal digits'

/** The body of `POST /operator/v1/operator-tokens`. */
export const operatorTokenRequest = members({
  person: matching(personPattern, personRule).meta({
    description: 'The stable name of the person, and the actor in the audit log.',
    examples: ['ana'],
  }),
  label: nameText(100).meta({ examples: ['laptop'] }),
  role: oneOf(operatorRoles),
  hash: matching(/^[0-9a-f]{64}$/, hashRule).meta({
    description: 'SHA-256 of the token, which the person makes and never shows.',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  }),
  expires_at: instant,
  ...noteMembers,
}).meta({ id: 'OperatorTokenRequest' })

/** Reads the body of `POST /operator/v1/operator-tokens`. */
export const parseOperatorTokenRequest = (
  body: unknown,
): Parsed<{ readonly request: OperatorTokenRequest; readonly note: ProposalNote }> =>
  mapParsed(parse(operatorTokenRequest, body), ({ expires_at, reason, evidence = null, ...request }) => ({
    request: { ...request, expiresAt: floorToMs(parseInstant(expires_at) ?? { ms: 0, rest: 0 }) },
    note: { reason, evidence },
  }))

const personText = z.string().meta({ description: 'The name of a person.' })

/** The record of an operator token, without its hash. */
export const operatorToken = z
  .object({
    id: idText('opt'),
    person: personText,
    label: z.string(),
    role: z.enum(operatorRoles),
    fingerprint: z.string().meta({ description: 'The first 16 digits of the hash.' }),
    created_at: time,
    created_by: z
      .string()
      .meta({ description: 'The person who issued or proposed it; `database owner`: a command did.' }),
    activated_at: time.nullable().meta({ description: 'Null while its proposal is not approved.' }),
    expires_at: time,
    revoked_at: time.nullable(),
    revoked_by: personText.nullable(),
  })
  .meta({ id: 'OperatorToken' })
export type OperatorTokenJson = z.output<typeof operatorToken>

export const operatorTokenToJson = (token: OperatorToken): OperatorTokenJson => ({
  id: token.id,
  person: token.person,
  label: token.label,
  role: token.role,
  fingerprint: token.fingerprint,
  created_at: instantToJson(token.createdAt),
  created_by: token.createdBy,
  activated_at: token.activatedAt && instantToJson(token.activatedAt),
  expires_at: instantToJson(token.expiresAt),
  revoked_at: token.revocation && instantToJson(token.revocation.at),
  revoked_by: token.revocation?.by ?? null,
})

export const operatorTokenPage = pageOf(operatorToken, 'OperatorTokenPage')
