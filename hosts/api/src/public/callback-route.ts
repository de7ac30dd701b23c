import type { IRouter } from 'express'
import { isOfOtherCell } from '@quipu/core/adapter'
import { ApiError } from '../http/api-error.ts'
import { readBody } from '../http/body.ts'
import { bind } from '../http/routing.ts'
import type { Paying, System } from '../ports.ts'

export type CallbackRoute = Pick<Paying, 'callbacks' | 'hintPayout'> & Pick<System, 'now' | 'inBackground' | 'ids'>

/**
 * Receives the network's callback that a payment has ended or changed, and makes the payout due at once.
 *
 * A worker then queries the network; about an ended payout this process does. The callback itself settles nothing, so
 * losing one is safe. One about a payout of another cell, as its letter shows, is left to that cell.
 */
export function callbackRoute(router: IRouter, ports: CallbackRoute): void {
  const { callbacks, hintPayout, now, inBackground, ids } = ports
  bind(router, '/network/callbacks', {
    async post(req, res) {
      const body = await readBody(req)
      const callback = callbacks?.verify(req.get('X-Network-Signature'), body, now())
      if (!callback) {
        const message = 'The signature of this callback is wrong or not fresh.'
        throw new ApiError('AUTHENTICATION_FAILED', { message })
      }
      if (!isOfOtherCell(callback.reference, ids.cell)) inBackground(hintPayout(callback.reference))
      res.statusCode = 204
      res.end()
    },
  })
}
