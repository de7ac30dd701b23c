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
    summary: { en: 'Register a webhook endpoint', es: 'Registrar un endpoint de webhooks' },
    description: {
      en: `It receives every event from now on. \`secret\` is shown here and never again: verify the signature of each delivery with it. At most ${endpoints.endpointsPerTenant} endpoints.`,
      es: `Recibe todo evento desde ahora. El \`secret\` se muestra aquí y nunca más: verifique con él la firma de cada entrega. Como máximo ${endpoints.endpointsPerTenant} endpoints.`,
    },
    access: write,
    body: {
      schema: webhookRequest,
      examples: {
        all: { url: example.endpoint.url },
        some: { url: example.endpoint.url, events: ['payout.completed'], description: 'orders' },
      },
    },
    answers: created({ en: 'The endpoint and its secret.', es: 'El endpoint y su secreto.' }, webhookWithSecret, {
      webhook: webhookWithSecretToJson(example.endpoint, example.secret),
    }),
    refused: parseWebhookRequest({ url: '', events: ['payout.rejected'] }),
    errors: ['WEBHOOK_LIMIT_REACHED'],
  })

const list = operation({
  id: 'listWebhooks',
  tag,
  summary: { en: 'List webhook endpoints, newest first', es: 'Listar endpoints de webhooks, los más nuevos primero' },
  description: {
    en: 'Deleted endpoints are not listed. No answer holds a secret.',
    es: 'Los endpoints eliminados no aparecen. Ninguna respuesta lleva un secreto.',
  },
  access: read,
  query: webhookListQuery,
  answers: lastPage(webhookPage, [example.endpoint], webhookToJson),
  refused: parseWebhookList(tenant.id, 'limit=500'),
})

const get = operation({
  id: 'getWebhook',
  tag,
  summary: { en: 'Read a webhook endpoint', es: 'Leer un endpoint de webhooks' },
  description: {
    en: '`queued` counts the deliveries that wait; `secrets` says which secrets are valid until when.',
    es: '`queued` cuenta las entregas que esperan; `secrets` dice qué secretos son válidos y hasta cuándo.',
  },
  access: read,
  path,
  answers: ok(
    {
      en: 'The endpoint, and how many of its deliveries have not ended.',
      es: 'El endpoint, y cuántas de sus entregas no terminaron.',
    },
    webhookWithQueue,
    {
      active: webhookWithQueueToJson(example.endpoint, 0),
      paused: webhookWithQueueToJson(example.pausedEndpoint, 1_204),
    },
  ),
  refused: parseNoQuery('expand=deliveries'),
  errors,
})

const change = operation({
  id: 'updateWebhook',
  tag,
  summary: { en: 'Change a webhook endpoint', es: 'Cambiar un endpoint de webhooks' },
  description: {
    en: 'Events that have not been delivered yet go to the new `url`. A new list of `events` applies to events from now on.',
    es: 'Los eventos que aún no se entregaron van a la `url` nueva. Una lista nueva de `events` rige para los eventos desde ahora.',
  },
  access: write,
  path,
  body: { schema: webhookPatch, examples: { moved: { url: 'https://example.com/quipu/v2' }, all: { events: ['*'] } } },
  answers: ok({ en: 'The endpoint.', es: 'El endpoint.' }, webhook, { changed: webhookToJson(example.endpoint) }),
  refused: parseWebhookPatch({}),
  errors,
})

const remove = operation({
  id: 'deleteWebhook',
  tag,
  summary: { en: 'Delete a webhook endpoint', es: 'Eliminar un endpoint de webhooks' },
  description: {
    en: 'Its deliveries are deleted with it. The events stay in `GET /v1/events`.',
    es: 'Sus entregas se eliminan con él. Los eventos siguen en `GET /v1/events`.',
  },
  access: write,
  path,
  answers: { 204: { description: { en: 'Deleted.', es: 'Eliminado.' } } },
  refused: parseNoQuery('force=true'),
  errors,
})

const success = { statusCode: 200, latencyMs: 23, error: null, excerpt: null } as const
const timeout = { statusCode: null, latencyMs: attemptTimeoutSeconds * 1000, error: 'TIMEOUT', excerpt: null } as const

const test = operation({
  id: 'testWebhook',
  tag,
  summary: { en: 'Send a test event at once', es: 'Enviar un evento de prueba enseguida' },
  description: {
    en: `One \`webhook.test\`, also while the endpoint is paused and whatever its \`events\` are. It is never retried and never counted, and is not in \`GET /v1/events\`. The answer waits for the receiver, up to ${attemptTimeoutSeconds} seconds.`,
    es: `Un \`webhook.test\`, también con el endpoint en pausa y sean cuales sean sus \`events\`. Nunca se reintenta ni se cuenta, y no está en \`GET /v1/events\`. La respuesta espera al endpoint, hasta ${attemptTimeoutSeconds} segundos.`,
  },
  access: write,
  path,
  body: noBody,
  answers: ok({ en: 'The result of the attempt.', es: 'El resultado del intento.' }, webhookTest, {
    delivered: webhookTestToJson(example.eventEnvelope.id, success),
    timeout: webhookTestToJson(example.eventEnvelope.id, timeout),
  }),
  refused: parseNoBody({ type: 'payout.completed' }),
  errors,
})

const pause = operation({
  id: 'pauseWebhook',
  tag,
  summary: { en: 'Pause a webhook endpoint', es: 'Pausar un endpoint de webhooks' },
  description: {
    en: 'Its events queue, and are sent once it is reactivated; attempts under way are made. Repeating the request changes nothing, nor does it end or replace an operator’s pause.',
    es: 'Sus eventos esperan en cola y se envían cuando se reactiva; los intentos en curso se hacen. Repetir la solicitud no cambia nada, ni termina o reemplaza la pausa de un operador.',
  },
  access: write,
  path,
  body: noBody,
  answers: ok({ en: 'The endpoint.', es: 'El endpoint.' }, webhook, {
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
    summary: { en: 'Reactivate a webhook endpoint', es: 'Reactivar un endpoint de webhooks' },
    description: {
      en: `Sends what was held, what waits for a later attempt, and what ran out of attempts in the last ${durationText(endpoints.redeliverSeconds)}, each with all its attempts anew and a few at a time. On an active endpoint it sends the latter two. Repeating the request changes nothing. An endpoint that the service’s operator has paused (\`paused_by\`) stays paused.`,
      es: `Envía lo que estaba en cola, lo que espera un intento posterior y lo que agotó sus intentos en los últimos ${durationText(endpoints.redeliverSeconds, 'es')}, cada cosa con todos sus intentos de nuevo y de a pocas. En un endpoint activo envía lo segundo y lo tercero. Repetir la solicitud no cambia nada. Un endpoint que pausó el operador del servicio (\`paused_by\`) sigue en pausa.`,
    },
    access: write,
    path,
    body: noBody,
    answers: ok(
      { en: 'The endpoint, and how many deliveries are sent.', es: 'El endpoint, y cuántas entregas se envían.' },
      reactivatedWebhook,
      { reactivated: reactivatedWebhookToJson({ endpoint: example.endpoint, requeued: 1_204, redelivered: 5 }) },
    ),
    refused: parseNoBody({ force: true }),
    errors: [...errors, 'WEBHOOK_PAUSED_BY_OPERATOR'],
  })

const rotate = ({ endpoints }: StatedLimits) =>
  operation({
    id: 'rotateWebhookSecret',
    tag,
    summary: { en: 'Get a new signing secret', es: 'Obtener un secreto de firma nuevo' },
    description: {
      en: `Deliveries carry one \`v1\` for each valid secret, newest first. The present secret stays valid for the grace; the expiry of older secrets does not change, but \`grace_seconds: 0\` ends every older secret at once: use it when one has leaked. At most ${endpoints.secretsPerEndpoint} secrets are valid at once.`,
      es: `Las entregas llevan un \`v1\` por cada secreto válido, el más nuevo primero. El secreto actual sigue válido durante la gracia; el vencimiento de los anteriores no cambia, pero \`grace_seconds: 0\` termina todos los anteriores enseguida: úselo cuando uno se haya filtrado. Como máximo ${endpoints.secretsPerEndpoint} secretos son válidos a la vez.`,
    },
    access: write,
    path,
    body: { schema: rotateSecretRequest, examples: { day: {}, atOnce: { grace_seconds: 0 } }, optional: true },
    answers: ok({ en: 'The endpoint and its new secret.', es: 'El endpoint y su secreto nuevo.' }, webhookWithSecret, {
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
