import type { IRouter } from 'express'
import { endpoint } from './endpoint.ts'
import { bind } from './routing.ts'

/** Serves a JSON document that is constant for the life of the process. */
export function documentRoute(router: IRouter, path: string, text: () => string): void {
  bind(router, path, { get: endpoint({ handle: () => ({ status: 200, jsonText: text() }) }) })
}
