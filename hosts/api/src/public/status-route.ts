import type { IRouter } from 'express'
import { serviceStatus, type ServiceStatusPorts, statusSeconds } from '@quipu/core/operator'
import { parseNoQuery, serviceStatusToJson } from '@quipu/wire'
import { bind } from '../http/routing.ts'
import { statusPath } from './authentication.ts'
import { scoped } from './scoped.ts'

/** Whether quotes, payments and deposits work. */
export function statusRoute(router: IRouter, ports: ServiceStatusPorts): void {
  const read = serviceStatus(ports)
  bind(router, statusPath, {
    get: scoped('any', {
      query: parseNoQuery,
      async handle(_caller, { res }) {
        res.setHeader('Cache-Control', `private, max-age=${statusSeconds}`)
        return { status: 200, json: serviceStatusToJson(await read()) }
      },
    }),
  })
}
