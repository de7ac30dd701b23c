import type { IRouter } from 'express'
import type { Clock, PayoutStore } from '@quipu/core'
import type { NetworkCallbacks } from '@quipu/qr-network'
import { ApiError } from '../http/api-error.ts'
import { readBody } from '../http/body.ts'
import { bind } from '../http/routing.ts'

export type CallbackRoute = {
  /** Undefined: the network has no secret with us, and every callback is refused. */
  readonly callbacks: NetworkCallbacks | undefined
  readonly payouts: Pick<PayoutStore, 'wake'>
  readonly now: Clock
  readonly inBackground: (work: Promise<unknown>) => void
}

/**
 * The network's hint that it has ended a payment: a worker then asks it sooner.
 *
 * Nothing is concluded from what it says, so a hint that cannot be passed on is not an error.
 */
export function callbackRoute(router: IRouter, ports: CallbackRoute): void {
  const { callbacks, payouts, now, inBackground } = ports
  bind(router, '/network/callbacks', {
    async post(req, res) {
      const body = await readBody(req)
      const callback = callbacks?.verify(req.get('X-Network-Signature'), body, now())
      if (!callback) {
        const message = 'The signature of this callback is wrong or not fresh.'
        throw new ApiError('AUTHENTICATION_FAILED', { message })
      }
      inBackground(payouts.wake(callback.reference))
      res.statusCode = 204
      res.end()
    },
  })
}
