import type { IRouter } from 'express'
import { sendJson } from './answer.ts'
import { bind } from './routing.ts'

/** Serves a JSON document that never changes while the process lives. It is made when it is first asked for. */
export function documentRoute(router: IRouter, path: string, make: () => string): void {
  let made: string | undefined
  bind(router, path, {
    get: (_req, res) => sendJson(res, (made ??= make())),
  })
}
