import { attemptTimeoutSeconds } from '@quipu/core/adapter'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { noBody, parseNoBody, parseNoQuery } from '../json/empty.ts'
import { id } from '../json/identifier.ts'
import {
  graceSeconds,
  parseRotateSecret,
  parseWebhookList,
  parseWebhookPatch,
  parseWebhookRequest,
  rotateSecretRequest,
  webhookListQuery,
  webhookPatch,
  webhookRequest,
} from './webhook-request.ts'
import {
  reactivatedWebhook,
  reactivatedWebhookToJson,
  webhook,
  webhookPage,
  webhookTest,
  webhookTestToJson,
  webhookToJson,
  webhookWithQueue,
  webhookWithQueueToJson,
  webhookWithSecret,
  webhookWithSecretToJson,
} from './webhook.ts'
import { tenant } from '../openapi/example.ts'
import type { StatedLimits } from '../text/limits.ts'
import { durationText } from '../text/number-text.ts'
import { operation } from '../openapi/operation.ts'
import { created, lastPage, ok } from '../openapi/answers.ts'
import * as example from './webhook-example.ts'

const tag = 'Webhooks'
const read = { scope: 'webhooks:read' } as const
const write = { scope: 'webhooks:write' } as const
const path = z.object({ id: id('we').meta({ examples: [example.endpoint.id] }) })
const errors = ['WEBHOOK_NOT_FOUND'] as const

const create = ({ endpoints }: StatedLimits) =>
  operation({
    id: 'createWebhook',
    tag,
    summary: 'Register a webhook endpoint',
    description: `It receives every event from now on. \`secret\` is shown here and never again: verify the signature of each delivery with it. At most ${endpoints.endpointsPerTenant} endpoints.`,
    access: write,
    body: {
      schema: webhookRequest,
      examples: {
        all: { url: example.endpoint.url },
        some: { url: example.endpoint.url, events: ['payout.completed'], description: 'orders' },
      },
    },
    answers: created('The endpoint and its secret.', webhookWithSecret, {
      webhook: webhookWithSecretToJson(example.endpoint, example.secret),
    }),
    refused: parseWebhookRequest({ url: '', events: ['payout.rejected'] }),
    errors: ['WEBHOOK_LIMIT_REACHED'],
  })

const list = operation({
  id: 'listWebhooks',
  tag,
  summary: 'List webhook endpoints, newest first',
  description: 'Deleted endpoints are not listed. No answer holds a secret.',
  access: read,
  query: webhookListQuery,
  answers: lastPage(webhookPage, [example.endpoint], webhookToJson),
  refused: parseWebhookList(tenant.id, 'limit=500'),
})

const get = operation({
  id: 'getWebhook',
  tag,
  summary: 'Read a webhook endpoint',
  description: '`queued` counts the deliveries that wait; `secrets` says which secrets are valid until when.',
  access: read,
  path,
  answers: ok('The endpoint, and how many of its deliveries have not ended.', webhookWithQueue, {
    active: webhookWithQueueToJson(example.endpoint, 0),
    paused: webhookWithQueueToJson(example.pausedEndpoint, 1_204),
  }),
  refused: parseNoQuery('expand=deliveries'),
  errors,
})

const change = operation({
  id: 'updateWebhook',
  tag,
  summary: 'Change a webhook endpoint',
  description:
    'Events that have not been delivered yet go to the new `url`. A new list of `events` applies to events from now on.',
  access: write,
  path,
  body: { schema: webhookPatch, examples: { moved: { url: 'https://example.com/quipu/v2' }, all: { events: ['*'] } } },
  answers: ok('The endpoint.', webhook, { changed: webhookToJson(example.endpoint) }),
  refused: parseWebhookPatch({}),
  errors,
})

const remove = operation({
  id: 'deleteWebhook',
  tag,
  summary: 'Delete a webhook endpoint',
  description: 'Its deliveries are deleted with it. The events stay in `GET /v1/events`.',
  access: write,
  path,
  answers: { 204: { description: 'Deleted.' } },
  refused: parseNoQuery('force=true'),
  errors,
})

const success = { statusCode: 200, latencyMs: 23, error: null, excerpt: null } as const
const timeout = { statusCode: null, latencyMs: attemptTimeoutSeconds * 1000, error: 'TIMEOUT', excerpt: null } as const

const test = operation({
  id: 'testWebhook',
  tag,
  summary: 'Send a test event at once',
  description: `One \`webhook.test\`, also while the endpoint is paused and whatever its \`events\` are. It is never retried and never counted, and is not in \`GET /v1/events\`. The answer waits for the receiver, up to ${attemptTimeoutSeconds} seconds.`,
  access: write,
  path,
  body: noBody,
  answers: ok('The result of the attempt.', webhookTest, {
    delivered: webhookTestToJson(example.eventEnvelope.id, success),
    timeout: webhookTestToJson(example.eventEnvelope.id, timeout),
  }),
  refused: parseNoBody({ type: 'payout.completed' }),
  errors,
})

const pause = operation({
  id: 'pauseWebhook',
  tag,
  summary: 'Pause a webhook endpoint',
  description:
    'Its events queue, and are sent once it is reactivated; attempts under way are made. Repeating the request changes nothing, nor does it end or replace an operator’s pause.',
  access: write,
  path,
  body: noBody,
  answers: ok('The endpoint.', webhook, {
    paused: webhookToJson({
      ...example.endpoint,
      status: 'paused',
      isPausedByTenant: true,
      pausedAt: example.endpoint.updatedAt,
    }),
  }),
  refused: parseNoBody({ force: true }),
  errors,
})

const reactivate = ({ endpoints }: StatedLimits) =>
  operation({
    id: 'reactivateWebhook',
    tag,
    summary: 'Reactivate a webhook endpoint',
    description: `Sends what was held, what waits for a later attempt, and what ran out of attempts in the last ${durationText(endpoints.redeliverSeconds)}, each with all its attempts anew and a few at a time. On an active endpoint it sends the latter two. Repeating the request changes nothing. An endpoint that the service’s operator has paused (\`paused_by\`) stays paused.`,
    access: write,
    path,
    body: noBody,
    answers: ok('The endpoint, and how many deliveries are sent.', reactivatedWebhook, {
      reactivated: reactivatedWebhookToJson({ endpoint: example.endpoint, requeued: 1_204, redelivered: 5 }),
    }),
    refused: parseNoBody({ force: true }),
    errors: [...errors, 'WEBHOOK_PAUSED_BY_OPERATOR'],
  })

const rotate = ({ endpoints }: StatedLimits) =>
  operation({
    id: 'rotateWebhookSecret',
    tag,
    summary: 'Get a new signing secret',
    description: `Deliveries carry one \`v1\` for each valid secret, newest first. The present secret stays valid for the grace; the expiry of older secrets does not change, but \`grace_seconds: 0\` ends every older secret at once: use it when one has leaked. At most ${endpoints.secretsPerEndpoint} secrets are valid at once.`,
    access: write,
    path,
    body: { schema: rotateSecretRequest, examples: { day: {}, atOnce: { grace_seconds: 0 } }, optional: true },
    answers: ok('The endpoint and its new secret.', webhookWithSecret, {
      rotated: webhookWithSecretToJson(example.endpoint, example.secret),
    }),
    refused: parseRotateSecret({ grace_seconds: graceSeconds.max + 1 }),
    errors: [...errors, 'TOO_MANY_SECRETS'],
  })

export const webhookPaths = (limits: StatedLimits): ZodOpenApiPathsObject => ({
  '/v1/webhooks': { post: create(limits), get: list },
  '/v1/webhooks/{id}': { get, patch: change, delete: remove },
  '/v1/webhooks/{id}/test': { post: test },
  '/v1/webhooks/{id}/pause': { post: pause },
  '/v1/webhooks/{id}/reactivate': { post: reactivate(limits) },
  '/v1/webhooks/{id}/rotate-secret': { post: rotate(limits) },
})
