import { newOperatorToken, operatorTokenDaysMax } from '@quipu/core/operator'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { noBody, parseNoBody, parseNoQuery } from '../json/empty.ts'
import { id } from '../json/identifier.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { lastPage, ok } from '../openapi/answers.ts'
import { operatorListQuery, parseOperatorList } from '../list/operator-list.ts'
import {
  operatorToken,
  operatorTokenPage,
  operatorTokenRequest,
  operatorTokenToJson,
  parseOperatorTokenRequest,
} from './operator-token.ts'
import { proposedAnswer } from '../proposal/proposal-paths.ts'

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
