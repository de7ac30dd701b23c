import type { IRouter } from 'express'
import type { CreatePayout, ResolveQr } from '@quipu/core'
import { type PayoutStore, refusedQrHint } from '@quipu/core/adapter'
import {
  httpErrors,
  isId,
  pageToJson,
  parsePayoutList,
  parsePayoutRequest,
  parseResolveRequest,
  payoutText,
  payoutToJson,
  resolutionToJson,
} from '@quipu/wire'
import { ApiError } from '../http/api-error.ts'
import { contextOf } from '../http/context.ts'
import { deadlineOf } from '../http/deadline.ts'
import { bind } from '../http/routing.ts'
import { callerOf, stillAllowed } from './authentication.ts'
import { scoped } from './scoped.ts'

export type PayoutRoutes = {
  readonly createPayout: CreatePayout
  readonly resolveQr: ResolveQr
  readonly payouts: Pick<PayoutStore, 'get' | 'list'>
}

/** @source spec §4 POST /payouts, GET /payouts, GET /payouts/{id}, POST /payouts/qr/resolve */
export function payoutRoutes(router: IRouter, ports: PayoutRoutes): void {
  bind(router, '/v1/payouts', { post: create(ports), get: list(ports) })
  bind(router, '/v1/payouts/qr/resolve', { post: resolve(ports) })
  bind(router, '/v1/payouts/:id', { get: get(ports) })
}

const create = ({ createPayout }: PayoutRoutes) =>
  scoped('payouts:write', {
    body: parsePayoutRequest,
    commitChecksKey: true,
    async handle({ tenant, key }, { res, body }) {
      if (body.type === 'bank_transfer') throw new ApiError('PAYOUT_TYPE_NOT_AVAILABLE')
      const answer = await createPayout(tenant, { ...body, keyId: key.id }, deadlineOf(res))
      if (answer.type === 'refused') throw new ApiError(answer.code, { payoutId: answer.payoutId })
      contextOf(res).payoutId = answer.payout.id
      const created = { status: 201, jsonText: payoutText(answer.payout) }
      return answer.replayed ? { ...created, headers: replayed } : created
    },
  })

const replayed = { 'Idempotent-Replayed': 'true' }

const list = ({ payouts }: PayoutRoutes) =>
  scoped('payouts:read', {
    query: (search, res) => parsePayoutList(callerOf(res).tenant.id, search),
    async handle({ tenant }, { query: { query, type, scope } }) {
      const page = type === 'bank_transfer' ? { items: [], next: null } : await payouts.list(tenant.id, query)
      return { status: 200, json: pageToJson(page, payoutToJson, scope) }
    },
  })

const get = ({ payouts }: PayoutRoutes) =>
  scoped('payouts:read', {
    async handle({ tenant }, { req }) {
      const id = String(req.params['id'])
      const payout = isId('po', id) ? await payouts.get(tenant.id, id) : undefined
      if (!payout) throw new ApiError('PAYOUT_NOT_FOUND')
      return { status: 200, json: payoutToJson(payout) }
    },
  })

const resolve = ({ resolveQr }: PayoutRoutes) =>
  scoped('payouts:write', {
    body: parseResolveRequest,
    commitChecksKey: true,
    async handle({ tenant, key }, { res, body }) {
      const answer = await resolveQr(tenant, { content: body.content, keyId: key.id }, stillAllowed(res))
      if (answer.type === 'refused') throw unresolved(answer.code, body.content)
      return { status: 201, json: resolutionToJson(answer.resolution) }
    },
  })

const unresolved = (code: 'QR_REFUSED' | 'AUTHENTICATION_FAILED', content: string): ApiError =>
  new ApiError(code, code === 'QR_REFUSED' ? { message: httpErrors.QR_REFUSED.message + refusedQrHint(content) } : {})
