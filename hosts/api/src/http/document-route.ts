import type { IRouter } from 'express'
import { sendJson } from './answer.ts'
import { bind } from './routing.ts'

/** Serves a JSON document that never changes while the process lives. */
export function documentRoute(router: IRouter, path: string, text: () => string): void {
  bind(router, path, {
    get: (_req, res) => sendJson(res, text()),
  })
}
