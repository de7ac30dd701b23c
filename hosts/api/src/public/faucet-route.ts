import type { IRouter } from 'express'
import type { FaucetRefused } from '@quipu/core'
import type { FaucetStore } from '@quipu/core/adapter'
import { faucetRecordToJson, faucetSendToJson, parseFaucetRequest, parseUuid } from '@quipu/wire'
import { ApiError } from '../http/api-error.ts'
import { bind } from '../http/routing.ts'
import type { Faucet } from '../ports.ts'
import { stillAllowed } from './authentication.ts'
import { scoped } from './scoped.ts'

/** Test tokens. Bound in the sandbox only. @source spec §4 */
export function faucetRoute(router: IRouter, { format, request }: Faucet, sends: Pick<FaucetStore, 'get'>): void {
  bind(router, '/v1/sandbox/faucet/:id', {
    get: scoped('wallet:read', {
      async handle({ tenant }, { req }) {
        const id = parseUuid(String(req.params['id']))
        const send = id === undefined ? undefined : await sends.get(tenant.id, id)
        if (!send) throw new ApiError('NOT_FOUND')
        return { status: 200, json: faucetSendToJson(send) }
      },
    }),
  })

  bind(router, '/v1/sandbox/faucet', {
    post: scoped('wallet:write', {
      body: (json, req) => parseFaucetRequest(json, req.get('Idempotency-Key'), (address) => format.parse(address)),
      async handle({ tenant }, { res, body }) {
        const answer = await request(tenant.id, body, stillAllowed(res))
        if (answer.type === 'refused') throw refusal(answer)
        return { status: 201, json: faucetRecordToJson(answer.send, answer.replayed) }
      },
    }),
  })
}

function refusal(refused: FaucetRefused): ApiError {
  if (!('retryAfterSeconds' in refused)) return new ApiError(refused.code)
  const headers = { 'Retry-After': String(refused.retryAfterSeconds) }
  return new ApiError(refused.code, { headers })
}
