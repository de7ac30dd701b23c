import type { AttemptResult } from '@quipu/core/adapter'
import { alertCodes, type ListedAlert } from '@quipu/core/operator'
import { z } from 'zod'
import { time } from '../json/answer.ts'
import { members } from '../json/fields.ts'
import { instantToJson } from '../json/instant.ts'
import { mapParsed, type Parsed } from '../json/parsed.ts'
import { parseQuery } from '../json/query.ts'
import { digest, type DigestLanguage, digestLanguages, digestToJson } from './digest-to-json.ts'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { noMembers, parseNoBody, parseNoQuery } from '../json/empty.ts'
import { exampleBacklog } from '../activity/activity-paths.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { ok } from '../openapi/answers.ts'

/** The answer of the gateway to a test message. */
const gatewayAnswer = z
  .object({
    accepted: z.boolean(),
    status_code: z.int().nullable().meta({ description: 'Null without an answer.' }),
    latency_ms: z.int().min(0),
    problem: z
      .string()
      .nullable()
      .meta({ description: 'Null when it was accepted.', examples: ['TIMEOUT'] }),
    excerpt: z.string().nullable().meta({ description: 'The start of the answer’s body.' }),
  })
  .meta({ id: 'AlertGatewayAnswer' })
export type GatewayAnswerJson = z.output<typeof gatewayAnswer>

export const gatewayAnswerToJson = ({ statusCode, latencyMs, error, excerpt }: AttemptResult): GatewayAnswerJson => ({
  accepted: error === null,
  status_code: statusCode,
  latency_ms: Math.round(latencyMs),
  problem: error,
  excerpt,
})

const listedAlert = z.object({
  id: z.string().meta({ description: 'The same in all messages to the gateway.' }),
  code: z.enum(alertCodes),
  subject: z.string(),
  tenant_id: z.string().nullable(),
  detail: z.string(),
  status: z.enum(['raised', 'resolved']).meta({ description: '`raised` until it is over.' }),
  raised_at: time,
  ended_at: time.nullable(),
  messages: z.int().min(0).meta({ description: 'Messages that the gateway has accepted.' }),
  accepted_at: time.nullable().meta({ description: 'When the gateway accepted the last one.' }),
  failed_attempts: z.int().min(0).meta({ description: 'Attempts of the next message that have failed.' }),
})

/** The newest alerts. */
const alertList = z.object({ data: z.array(listedAlert) }).meta({ id: 'AlertList' })
export type AlertListJson = z.output<typeof alertList>

export const alertsToJson = (alerts: readonly ListedAlert[]): AlertListJson => ({
  data: alerts.map(({ id, code, subject, tenantId, detail, status, raisedAt, endedAt, sent, acceptedAt, ...more }) => ({
    id,
    code,
    subject,
    tenant_id: tenantId,
    detail,
    status,
    raised_at: instantToJson(raisedAt),
    ended_at: endedAt && instantToJson(endedAt),
    messages: sent,
    accepted_at: acceptedAt && instantToJson(acceptedAt),
    failed_attempts: more.failedAttempts,
  })),
})

/** The query of `GET /operator/v1/alerts/digest`. */
const digestQuery = members(
  { language: z.enum(digestLanguages, 'must be en or es').optional().meta({ description: '`en` by default.' }) },
  'here',
)

/** Reads the query of the daily digest: its language, English by default. */
export const parseDigestQuery = (search: URLSearchParams | string): Parsed<DigestLanguage> =>
  mapParsed(parseQuery(digestQuery, search), ({ language }) => language ?? 'en')

const tag = 'Alerts'
const installation = { environment: 'production', cell: null } as const

const list = operation({
  id: 'listAlerts',
  tag,
  summary: 'List the newest alerts, and whether the gateway has them',
  description: 'Only processes with `OPERATOR_ALERT_URL` record alerts.',
  access: 'operator',
  answers: ok('The alerts, newest first.', alertList, {
    resolved: alertsToJson([
      {
        id: 'alt_01K6HZ8M00000000000000000A',
        code: 'NO_WORKER',
        subject: 'worker',
        tenantId: null,
        detail: 'no worker has run for 30 s',
        raisedAt: example.at(0),
        status: 'resolved',
        endedAt: example.at(90),
        sent: 2,
        acceptedAt: example.at(93),
        failedAttempts: 0,
      },
    ]),
  }),
  refused: parseNoQuery('status=raised'),
})

const test = operation({
  id: 'testAlerts',
  tag,
  summary: 'Send a test message to the gateway of alerts',
  description:
    'Signed as alerts are, with `type` `test`, sent once by the process that answers. The answer says what the gateway answered; `problem` is null when it accepted the message.',
  access: 'operator',
  body: { schema: noMembers, examples: { none: {} }, optional: true },
  answers: ok('What the gateway answered.', gatewayAnswer, {
    accepted: gatewayAnswerToJson({ statusCode: 202, latencyMs: 84, error: null, excerpt: null }),
    refused: gatewayAnswerToJson({ statusCode: 401, latencyMs: 41, error: 'STATUS', excerpt: 'bad signature' }),
  }),
  refused: parseNoBody({ text: 'hello' }),
  errors: ['ALERT_GATEWAY_NOT_SET'],
})

const get = operation({
  id: 'digestAlerts',
  tag,
  summary: 'Read the digest of the day, as the gateway would receive it now',
  access: 'operator',
  query: digestQuery,
  answers: ok('The digest.', digest, {
    digest: digestToJson(
      '2026-11-20',
      'en',
      { backlog: exampleBacklog, isHalted: false, isLiquidityWatched: true },
      installation,
    ),
  }),
  refused: parseDigestQuery('language=fr'),
})

export const alertPaths: ZodOpenApiPathsObject = {
  '/operator/v1/alerts': { get: list },
  '/operator/v1/alerts/test': { post: test },
  '/operator/v1/alerts/digest': { get },
}
