import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { noMembers, parseNoBody, parseNoQuery } from '../json/empty.ts'
import { exampleBacklog } from '../activity/activity-paths.ts'
import * as example from '../openapi/example.ts'
import { operation } from '../openapi/operation.ts'
import { ok } from '../openapi/answers.ts'
import {
  alertList,
  alertsToJson,
  digest,
  digestQuery,
  gatewayAnswer,
  gatewayAnswerToJson,
  parseDigestQuery,
} from './alert.ts'
import { digestToJson } from './digest-to-json.ts'

const tag = 'Alerts'
const installation = { environment: 'production', cell: null } as const

const list = operation({
  id: 'listAlerts',
  tag,
  summary: 'List the newest 100 alerts, and whether the gateway has them',
  description: 'Only processes with `OPERATOR_ALERT_URL` record alerts. Those of the last 90 days are kept.',
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
