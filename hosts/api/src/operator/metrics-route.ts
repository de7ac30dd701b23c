import type { IRouter } from 'express'
import type { Metrics } from '@quipu/runtime'
import { bind } from '../http/routing.ts'
import { allowed } from './allowed.ts'

/** The metrics of this process, for Prometheus. */
export function metricsRoute(router: IRouter, { text, contentType }: Pick<Metrics, 'text' | 'contentType'>): void {
  bind(router, '/metrics', {
    get: allowed('viewer', {
      async handle() {
        return { status: 200, text: await text(), headers: { 'Content-Type': contentType } }
      },
    }),
  })
}
