import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { noBody, parseNoBody, parseNoQuery } from '../json/empty.ts'
import { matching } from '../json/fields.ts'
import { operatorListQuery, parseOperatorList } from '../list/operator-list.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { created, lastPage, ok } from '../openapi/answers.ts'
import {
  codeRequest,
  enrolment,
  parseCode,
  secondFactorState,
  sessionPage,
  type SessionRecordJson,
} from './console-session.ts'

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
