import { defaultEndpointPolicy, manageWebhooks, testWebhook } from '@quipu/core'
import { encodeEvent } from '@quipu/wire'
import { ContainerModule } from 'inversify'
import type { AppSettings } from '../settings/settings.ts'
import { EXTENSION, STORES, SYSTEM, WEBHOOK_PORTS, WEBHOOKS } from './symbols.ts'

export const webhookModule = (settings: AppSettings): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(WEBHOOKS).toResolvedValue(
      ({ webhooks }, system, webhookPorts, { endpointPolicy = defaultEndpointPolicy }) => {
        if (!webhookPorts) return undefined
        const ports = { webhooks, ...system, ...webhookPorts }
        return {
          ...manageWebhooks(ports, endpointPolicy),
          test: testWebhook({ ...ports, encodeEvent }, settings.WEBHOOK_HEADER_PREFIX),
          pause: (tenantId: string, id: string) => webhooks.pause(tenantId, id, system.now()),
          reactivate: (tenantId: string, id: string) => webhooks.reactivate(tenantId, id, endpointPolicy, system.now()),
        }
      },
      [STORES, SYSTEM, WEBHOOK_PORTS, EXTENSION],
    )
  })
