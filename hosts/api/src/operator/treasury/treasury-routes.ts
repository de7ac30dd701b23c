import type { Clock, Ids } from '@quipu/core'
import { authorized, type TreasuryStore } from '@quipu/core/operator'
import { isId, movementToJson, parseMovement, parseOperatorList, parseReversal } from '@quipu/wire'
import type { IRouter } from 'express'
import { ApiError } from '../../http/api-error.ts'
import { bind } from '../../http/routing.ts'
import { allowed, allowedPage } from '../allowed.ts'

export type TreasuryRoutes = { readonly treasury: TreasuryStore; readonly ids: Ids; readonly now: Clock }

/** The operator's own movements: read by every role, recorded by operators. */
export function treasuryRoutes(router: IRouter, { treasury, ids, now }: TreasuryRoutes): void {
  const recorded = async (id: string) => {
    const movement = await treasury.find(id)
    if (!movement) throw new Error(`movement ${id} was recorded, and is not there`)
    return { status: 201, json: movementToJson(movement) }
  }
  bind(router, '/operator/v1/treasury', {
    get: allowedPage('viewer', {
      query: (search) => parseOperatorList('treasury', search),
      list: (query) => treasury.list(query),
      toJson: movementToJson,
    }),
    post: allowed('operator', {
      body: (json) => parseMovement(json, now()),
      async handle(actor, { body }) {
        const at = now()
        const id = ids.next('trm', at)
        const result = authorized(await treasury.record({ id, ...body }, at, actor))
        if (result === 'recorded') throw new ApiError('MOVEMENT_RECORDED')
        return recorded(id)
      },
    }),
  })
  bind(router, '/operator/v1/treasury/:id/reverse', {
    post: allowed('operator', {
      body: parseReversal,
      async handle(actor, { req, body }) {
        const of = String(req.params['id'])
        if (!isId('trm', of) || !(await treasury.find(of))) throw new ApiError('MOVEMENT_NOT_FOUND')
        const at = now()
        const id = ids.next('trm', at)
        const result = authorized(await treasury.reverse({ id, of, ...body }, at, actor))
        if (result === 'stale') throw new ApiError('MOVEMENT_REVERSED')
        return recorded(id)
      },
    }),
  })
}
