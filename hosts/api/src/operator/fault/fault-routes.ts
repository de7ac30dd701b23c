import type { FindFaults, ProcessStore } from '@quipu/core/operator'
import { faultsToJson, parseNoQuery, processesToJson } from '@quipu/wire'
import type { IRouter } from 'express'
import { bind } from '../../http/routing.ts'
import { allowed } from '../allowed.ts'

export type FaultRoutes = { readonly findFaults: FindFaults; readonly processes: Pick<ProcessStore, 'list'> }

/** Present faults, and running processes: read by every role. */
export function faultRoutes(router: IRouter, { findFaults, processes }: FaultRoutes): void {
  bind(router, '/operator/v1/faults', {
    get: allowed('viewer', {
      query: parseNoQuery,
      handle: async () => ({ status: 200, json: faultsToJson(await findFaults()) }),
    }),
  })
  bind(router, '/operator/v1/processes', {
    get: allowed('viewer', {
      query: parseNoQuery,
      handle: async () => {
        const recorded = await processes.list()
        const live = recorded.filter(({ endedSeconds }) => endedSeconds === null)
        return { status: 200, json: processesToJson(live) }
      },
    }),
  })
}
