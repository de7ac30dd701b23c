import type { IRouter } from 'express'
import {
  closeDifference,
  type CloseDifferencePorts,
  type CloseDifferenceRefusal,
  type DifferenceStore,
} from '@quipu/core/operator'
import { differenceToJson, type HttpErrorCode, parseDifferenceClosure, parseDifferenceList } from '@quipu/wire'
import { ApiError } from '../../http/api-error.ts'
import { bind, idInPath } from '../../http/routing.ts'
import { allowed, allowedPage, allowedRecord } from '../allowed.ts'

export type DifferenceRoutes = CloseDifferencePorts & {
  readonly differences: Pick<DifferenceStore, 'find' | 'list' | 'close'>
}

/** Differences that the checks have found: read by every role, closed by operators. */
export function differenceRoutes(router: IRouter, ports: DifferenceRoutes): void {
  const { differences } = ports
  const close = closeDifference(ports)
  bind(router, '/operator/v1/differences', {
    get: allowedPage('viewer', {
      query: parseDifferenceList,
      list: (query) => differences.list(query),
      toJson: differenceToJson,
    }),
  })

  bind(router, '/operator/v1/differences/:id', {
    get: allowedRecord(
      'viewer',
      'DIFFERENCE_NOT_FOUND',
      (req) => differences.find(differenceIdOf(req)),
      differenceToJson,
    ),
  })

  bind(router, '/operator/v1/differences/:id/close', {
    post: allowed('operator', {
      body: parseDifferenceClosure,
      async handle(actor, { req, body }) {
        const result = await close(actor, differenceIdOf(req), body)
        if (result.type === 'refused') throw new ApiError(codes[result.code])
        return { status: 200, json: differenceToJson(result.difference) }
      },
    }),
  })
}

const codes: { readonly [Code in CloseDifferenceRefusal]: HttpErrorCode } = {
  not_found: 'DIFFERENCE_NOT_FOUND',
  not_open: 'DIFFERENCE_NOT_OPEN',
  proposal_not_found: 'PROPOSAL_NOT_FOUND',
  proposal_not_executed: 'PROPOSAL_NOT_EXECUTED',
  proposal_of_another_tenant: 'PROPOSAL_OF_ANOTHER_TENANT',
}

const differenceIdOf = idInPath('dif', 'DIFFERENCE_NOT_FOUND')
