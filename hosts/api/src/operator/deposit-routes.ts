import type { IRouter, Request } from 'express'
import type {
  Deposit,
  ReviewResult,
  ReviewDeposits,
  ReviewRefusal,
  RotateTopUpAddress,
} from '@quipu/core'
import type { DepositStore, TenantStore } from '@quipu/core/adapter'
import {
  type HttpErrorCode,
  isId,
  operatorDepositToJson,
  operatorTopUpAddressToJson,
  pageToJson,
  parseCloseDeposit,
  parseCreditDeposit,
  parseNoBody,
  parseOperatorDepositList,
} from '@quipu/wire'
import type { Answer } from '../http/answer.ts'
import { ApiError } from '../http/api-error.ts'
import { bind } from '../http/routing.ts'
import { allowed } from './allowed.ts'
import { tenantIdOf } from './tenant-routes.ts'

export type DepositRoutes = {
  readonly reviewDeposits: ReviewDeposits
  readonly rotateTopUpAddress: RotateTopUpAddress
  readonly deposits: Pick<DepositStore, 'find' | 'listAll'>
  readonly tenants: Pick<TenantStore, 'find'>
}

/** @source spec §3 Deposit statuses: an operator resolves the deposit; the endpoints are assumed */
export function depositRoutes(router: IRouter, ports: DepositRoutes): void {
  const { reviewDeposits, deposits } = ports
  bind(router, '/operator/v1/deposits', {
    get: allowed('viewer', {
      query: parseOperatorDepositList,
      async handle(_actor, { query: { query, scope } }) {
        const page = await deposits.listAll(query)
        return { status: 200, json: pageToJson(page, operatorDepositToJson, scope) }
      },
    }),
  })

  bind(router, '/operator/v1/deposits/:id', {
    get: allowed('viewer', {
      async handle(_actor, { req }) {
        const deposit = await deposits.find(depositIdOf(req))
        if (!deposit) throw new ApiError('DEPOSIT_NOT_FOUND')
        return { status: 200, json: operatorDepositToJson(deposit) }
      },
    }),
  })

  bind(router, '/operator/v1/deposits/:id/credit', {
    post: allowed('operator', {
      body: parseCreditDeposit,
      handle: async (actor, { req, body }) =>
        resolved(await reviewDeposits.credit(actor, depositIdOf(req), body.reason)),
    }),
  })

  bind(router, '/operator/v1/deposits/:id/close', {
    post: allowed('operator', {
      body: parseCloseDeposit,
      handle: async (actor, { req, body }) =>
        resolved(await reviewDeposits.close(actor, depositIdOf(req), body.reason)),
    }),
  })

  rotation(router, ports)
}

function rotation(router: IRouter, { rotateTopUpAddress, tenants }: DepositRoutes): void {
  bind(router, '/operator/v1/tenants/:id/top-up-addresses/rotate', {
    post: allowed('operator', {
      body: parseNoBody,
      async handle(actor, { req }) {
        const id = tenantIdOf(req)
        const retired = await rotateTopUpAddress(actor, id)
        if (retired) return { status: 200, json: operatorTopUpAddressToJson(retired) }
        const isKnown = (await tenants.find(id)) !== undefined
        throw new ApiError(isKnown ? 'TOP_UP_ADDRESS_NOT_FOUND' : 'TENANT_NOT_FOUND')
      },
    }),
  })
}

/** The deposit's id in the path. @throws ApiError 404 when it is not a deposit id */
function depositIdOf(req: Request): string {
  const id = String(req.params['id'])
  if (!isId('dep', id)) throw new ApiError('DEPOSIT_NOT_FOUND')
  return id
}

const codes: Readonly<Record<ReviewRefusal, HttpErrorCode>> = {
  not_found: 'DEPOSIT_NOT_FOUND',
  not_in_review: 'DEPOSIT_NOT_IN_REVIEW',
  already_resolved: 'DEPOSIT_ALREADY_RESOLVED',
  not_creditable: 'DEPOSIT_NOT_CREDITABLE',
}

function resolved(reviewed: ReviewResult<Deposit>): Answer {
  if (reviewed.type === 'refused') throw new ApiError(codes[reviewed.code])
  return { status: 200, json: operatorDepositToJson(reviewed.deposit) }
}
