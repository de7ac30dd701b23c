import type { IRouter } from 'express'
import type { ConfirmNetwork, NetworkStore } from '@quipu/core/operator'
import { type ConfiguredNetwork, parseNetworkConfirmation, parseNoQuery, qrNetworkToJson } from '@quipu/wire'
import { bind } from '../../http/routing.ts'
import { allowed } from '../allowed.ts'

export type NetworkRoutes = {
  readonly networks: Pick<NetworkStore, 'read'>
  readonly confirmNetwork: ConfirmNetwork
  readonly configuredNetwork: ConfiguredNetwork
}

/** At which QR network payouts are ordered: read by every role; admins confirm another one. */
export function networkRoutes(router: IRouter, { networks, confirmNetwork, configuredNetwork }: NetworkRoutes): void {
  bind(router, '/operator/v1/network', {
    get: allowed('viewer', {
      query: parseNoQuery,
      handle: async () => ({ status: 200, json: qrNetworkToJson(await networks.read(), configuredNetwork) }),
    }),
  })
  bind(router, '/operator/v1/network/confirm', {
    post: allowed('admin', {
      body: parseNetworkConfirmation,
      async handle(operator, { body: { identity, reason } }) {
        const record = await confirmNetwork(operator, identity, reason)
        return { status: 200, json: qrNetworkToJson(record, configuredNetwork) }
      },
    }),
  })
}
