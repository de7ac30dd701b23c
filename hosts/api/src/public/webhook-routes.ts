import type { IRouter, Request } from 'express'
import type { WebhookEndpoint, WebhookRefusal } from '@quipu/core'
import type { WebhookStore } from '@quipu/core/adapter'
import {
  pageToJson,
  type Parsed,
  parseNoBody,
  parseRotateSecret,
  parseWebhookList,
  parseWebhookPatch,
  parseWebhookRequest,
  reactivatedWebhookToJson,
  webhookTestToJson,
  webhookToJson,
  webhookWithQueueToJson,
  webhookWithSecretToJson,
} from '@quipu/wire'
import { ApiError, invalid } from '../http/api-error.ts'
import { bind, idInPath } from '../http/routing.ts'
import type { Webhooks } from '../ports.ts'
import { callerOf, stillAllowed } from './authentication.ts'
import { scoped } from './scoped.ts'

/** @source spec §4 names create, test and reactivate; their shapes and the others are assumed */
export function webhookRoutes(
  router: IRouter,
  store: Pick<WebhookStore, 'get' | 'list' | 'queued' | 'remove'>,
  webhooks: Webhooks,
): void {
  bind(router, '/v1/webhooks', { post: create(webhooks), get: list(store) })
  bind(router, '/v1/webhooks/:id', { get: get(store), patch: change(webhooks), delete: remove(store) })
  bind(router, '/v1/webhooks/:id/test', { post: test(webhooks) })
  bind(router, '/v1/webhooks/:id/pause', { post: pause(webhooks) })
  bind(router, '/v1/webhooks/:id/reactivate', { post: reactivate(webhooks) })
  bind(router, '/v1/webhooks/:id/rotate-secret', { post: rotate(webhooks) })
}

const create = (webhooks: Webhooks) =>
  scoped('webhooks:write', {
    body: (json) => withUrlFault(parseWebhookRequest(json), json, webhooks),
    async handle({ tenant }, { res, body }) {
      const made = await webhooks.create(tenant.id, body, stillAllowed(res))
      if (made.type === 'refused') throw refusal(made)
      return { status: 201, json: webhookWithSecretToJson(made.endpoint, made.secret) }
    },
  })

const list = (store: Pick<WebhookStore, 'list'>) =>
  scoped('webhooks:read', {
    query: (search, res) => parseWebhookList(callerOf(res).tenant.id, search),
    async handle({ tenant }, { query: { query, scope } }) {
      const page = await store.list(tenant.id, query)
      return { status: 200, json: pageToJson(page, webhookToJson, scope) }
    },
  })

const get = (store: Pick<WebhookStore, 'get' | 'queued'>) =>
  scoped('webhooks:read', {
    async handle({ tenant }, { req }) {
      const endpoint = await endpointOf(store, tenant.id, req)
      const queued = await store.queued(tenant.id, endpoint.id)
      return { status: 200, json: webhookWithQueueToJson(endpoint, queued) }
    },
  })

const change = (webhooks: Webhooks) =>
  scoped('webhooks:write', {
    body: (json) => withUrlFault(parseWebhookPatch(json), json, webhooks),
    async handle({ tenant }, { req, res, body }) {
      const id = endpointIdOf(req)
      const changed = await webhooks.update(tenant.id, id, body, stillAllowed(res))
      if (changed.type === 'refused') throw refusal(changed)
      return { status: 200, json: webhookToJson(changed.endpoint) }
    },
  })

const remove = (store: Pick<WebhookStore, 'remove'>) =>
  scoped('webhooks:write', {
    async handle({ tenant }, { req }) {
      if (!(await store.remove(tenant.id, endpointIdOf(req)))) throw notFound()
      return { status: 204 }
    },
  })

const test = (webhooks: Webhooks) =>
  scoped('webhooks:write', {
    body: parseNoBody,
    async handle({ tenant }, { req }) {
      const tested = await webhooks.test(tenant.id, endpointIdOf(req))
      if (!tested) throw notFound()
      return { status: 200, json: webhookTestToJson(tested.eventId, tested.result) }
    },
  })

const pause = (webhooks: Webhooks) =>
  scoped('webhooks:write', {
    body: parseNoBody,
    async handle({ tenant }, { req }) {
      const paused = await webhooks.pause(tenant.id, endpointIdOf(req))
      if (!paused) throw notFound()
      return { status: 200, json: webhookToJson(paused) }
    },
  })

const reactivate = (webhooks: Webhooks) =>
  scoped('webhooks:write', {
    body: parseNoBody,
    async handle({ tenant }, { req }) {
      const reactivated = await webhooks.reactivate(tenant.id, endpointIdOf(req))
      if (!reactivated) throw notFound()
      if (reactivated === 'paused_by_operator') throw new ApiError('WEBHOOK_PAUSED_BY_OPERATOR')
      return { status: 200, json: reactivatedWebhookToJson(reactivated) }
    },
  })

const rotate = (webhooks: Webhooks) =>
  scoped('webhooks:write', {
    body: parseRotateSecret,
    async handle({ tenant }, { req, body }) {
      const rotated = await webhooks.rotateSecret(tenant.id, endpointIdOf(req), body.graceSeconds)
      if (rotated.type === 'refused') throw refusal(rotated)
      return { status: 200, json: webhookWithSecretToJson(rotated.endpoint, rotated.secret) }
    },
  })

/** The endpoint that the path names. @throws ApiError 404 when the tenant has no such endpoint */
export async function endpointOf(
  store: Pick<WebhookStore, 'get'>,
  tenantId: string,
  req: Request,
): Promise<WebhookEndpoint> {
  const stored = await store.get(tenantId, endpointIdOf(req))
  if (!stored) throw notFound()
  return stored.endpoint
}

const endpointIdOf = idInPath('we', 'WEBHOOK_NOT_FOUND')

/** Adds what is wrong with the URL to the other faults of a body. Without any, registering checks the URL. */
async function withUrlFault<T>(
  parsed: Parsed<T>,
  json: unknown,
  { urlFault }: Pick<Webhooks, 'urlFault'>,
): Promise<Parsed<T>> {
  const url = typeof json === 'object' && json !== null && 'url' in json ? json.url : undefined
  if (parsed.ok || typeof url !== 'string') return parsed
  const message = await urlFault(url)
  const fault = message === null ? [] : [{ field: 'url', message }]
  return { ok: false, issues: [...parsed.issues, ...fault] }
}

const notFound = (): ApiError => new ApiError('WEBHOOK_NOT_FOUND')

function refusal(refused: WebhookRefusal): ApiError {
  switch (refused.code) {
    case 'url_not_allowed':
      return invalid([{ field: 'url', message: refused.reason }])
    case 'not_found':
      return notFound()
    case 'limit_reached':
      return new ApiError('WEBHOOK_LIMIT_REACHED')
    case 'too_many_secrets':
      return new ApiError('TOO_MANY_SECRETS')
    case 'not_allowed':
      return new ApiError('AUTHENTICATION_FAILED')
  }
}
