import {
  type OperatorToken,
  operatorRoles,
  type OperatorTokenRequest,
  personPattern,
  type ProposalNote,
  newOperatorToken,
  operatorTokenDaysMax,
} from '@quipu/core/operator'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { instant, matching, members, nameText, oneOf } from '../json/fields.ts'
import { floorToMs, instantToJson, parseInstant } from '../json/instant.ts'
import { rowToJson } from '../json/row-to-json.ts'
import { mapParsed, parse, type Parsed } from '../json/parsed.ts'
import { pageOf } from '../list/list.ts'
import { noteMembers } from '../json/note.ts'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { noBody, parseNoBody, parseNoQuery } from '../json/empty.ts'
import { id } from '../json/identifier.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { lastPage, ok } from '../openapi/answers.ts'
import { operatorListQuery, parseOperatorList } from '../list/operator-list.ts'
import { proposedAnswer } from '../proposal/proposal-paths.ts'

const personRule =
  'must be 1 to 64 lowercase letters, digits, dots, underscores, hyphens or at signs, and begin with a letter or digit'
const hashRule = 'must be a SHA-256: 64 lowercase hexadecimal digits'

const operatorTokenRequest = members({
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

export const operatorTokenToJson = (token: OperatorToken): OperatorTokenJson =>
  rowToJson(operatorToken, token, {
    revoked_at: token.revocation && instantToJson(token.revocation.at),
    revoked_by: token.revocation?.by ?? null,
  })

const operatorTokenPage = pageOf(operatorToken, 'OperatorTokenPage')

const tag = 'Operator tokens'
const request = {
  person: 'ana',
  label: 'laptop',
  role: 'auditor',
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
} as const
const issued = newOperatorToken(
  { ...request, expiresAt: example.at(90 * 86_400) },
  { id: `opt_${example.ulid('0H')}`, createdAt: example.at(0), createdBy: 'olivia', activatedAt: example.at(0) },
)
const json = operatorTokenToJson(issued)
const revoked = { ...json, revoked_at: example.at(600).toISOString(), revoked_by: 'olivia' }

const me = operation({
  id: 'getOwnOperatorToken',
  tag,
  summary: 'Read the presented token',
  access: 'operator',
  answers: ok('The token’s record.', operatorToken, { own: json }),
  refused: parseNoQuery('expand=tenant'),
})

const list = operation({
  id: 'listOperatorTokens',
  tag,
  summary: 'List operator tokens, newest first',
  description: 'Needs the role `auditor` or `admin`. No answer contains a token or its hash.',
  access: 'operator',
  query: operatorListQuery,
  answers: lastPage(operatorTokenPage, [issued], operatorTokenToJson, 'A page, revoked and expired tokens included.'),
  refused: parseOperatorList('operator_tokens', 'limit=0'),
})

const issue = operation({
  id: 'issueOperatorToken',
  tag,
  summary: 'Issue an operator token',
  description: `Needs the role \`admin\`. The person makes the token and hands over its SHA-256 only. A \`viewer\` or \`auditor\` is issued at once; an \`operator\` or \`admin\` once another admin approves the proposal. \`expires_at\` is at most ${operatorTokenDaysMax} days away.`,
  access: 'operator',
  body: {
    schema: operatorTokenRequest,
    examples: {
      auditor: { ...request, expires_at: json.expires_at, reason: 'Audits the books of 2026.' },
      operator: {
        ...request,
        role: 'operator',
        expires_at: json.expires_at,
        reason: 'Operates from 1 December.',
        evidence: {
          note: 'The contract of 20 November.',
          digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        },
      },
    },
  },
  answers: {
    201: { description: 'The token’s record.', schema: operatorToken, examples: { issued: json } },
    202: proposedAnswer,
  },
  refused: parseOperatorTokenRequest({ ...request, expires_at: '2026-12-31' }),
  errors: ['OPERATOR_TOKEN_HASH_USED'],
})

const revoke = operation({
  id: 'revokeOperatorToken',
  tag,
  summary: 'Revoke an operator token',
  description:
    'It stops working at once, for good. An `admin` can revoke every token, others the presented one. Revoking it again changes nothing. Proposals that it made and that are not executed end with it. The last active token of an admin cannot be revoked.',
  access: 'operator',
  path: z.object({ id: id('opt') }),
  body: noBody,
  answers: ok('The token’s record.', operatorToken, { revoked }),
  refused: parseNoBody({ reason: 'lost' }),
  errors: ['LAST_ADMIN', 'OPERATOR_TOKEN_NOT_FOUND'],
})

export const operatorTokenPaths: ZodOpenApiPathsObject = {
  '/operator/v1/me': { get: me },
  '/operator/v1/operator-tokens': { get: list, post: issue },
  '/operator/v1/operator-tokens/{id}/revoke': { post: revoke },
}
