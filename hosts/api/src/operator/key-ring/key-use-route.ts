import type { IRouter } from 'express'
import type { Stores } from '@quipu/core'
import { keysToJson } from '@quipu/wire'
import { bind } from '../../http/routing.ts'
import { allowed } from '../allowed.ts'

export type KeyUseRoute = Pick<Stores, 'webhooks' | 'addresses'> & {
  /** The ids of each setting's keys, the current one first; undefined for a setting that is not set. */
  readonly keyIds: {
    readonly webhookSecrets: readonly string[] | undefined
    readonly addressMacs: readonly string[] | undefined
  }
}

/** The counts of values that the keys of the environment have made. */
export function keyUseRoute(
  router: IRouter,
  { webhooks, addresses, keyIds: { webhookSecrets, addressMacs } }: KeyUseRoute,
): void {
  bind(router, '/operator/v1/key-use', {
    get: allowed('viewer', {
      async handle() {
        const json = {
          webhook_secrets: webhookSecrets === undefined ? null : keysToJson(webhookSecrets, await webhooks.keyUse()),
          address_macs: addressMacs === undefined ? null : keysToJson(addressMacs, await addresses.keyUse()),
        }
        return { status: 200, json }
      },
    }),
  })
}
