import type { IRouter } from 'express'
import type { SandboxQrIssuer } from '@quipu/core'
import { parseSandboxQrRequest, sandboxQrToJson } from '@quipu/wire'
import { bind } from '../http/routing.ts'
import { drawQr } from './draw-qr.ts'
import { scoped } from './scoped.ts'

/** Test QRs. Bound in the sandbox only. */
export function sandboxRoutes(router: IRouter, issuer: SandboxQrIssuer): void {
  bind(router, '/v1/sandbox/qr-codes', {
    post: scoped('payouts:write', {
      body: parseSandboxQrRequest,
      async handle(_caller, { body }) {
        const qr = await issuer.issue(body)
        return { status: 201, json: sandboxQrToJson(qr, await drawQr(qr.content)) }
      },
    }),
  })
}
