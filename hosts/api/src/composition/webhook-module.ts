import { defaultEndpointPolicy, manageWebhooks, testWebhook } from '@quipu/core'
import { encodeEvent } from '@quipu/wire'
import { ContainerModule } from 'inversify'
import type { AppSettings } from '../settings/settings.ts'
import {
  type Stores,
  STORES,
  type System,
  SYSTEM,
  WEBHOOK_ACTIONS,
  WEBHOOK_PORTS,
  type WebhookPorts,
} from '../ports.ts'

/** What tenants do to their webhook endpoints, over whatever is bound to the ports. */
export const webhookModule = (settings: AppSettings): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(WEBHOOK_ACTIONS)
      .toResolvedValue(
        ({ webhooks }: Stores, system: System, given: WebhookPorts | undefined) => {
          if (!given) return undefined
          const ports = { webhooks, ...system, ...given }
          const headerPrefix = settings.WEBHOOK_HEADER_PREFIX
          return {
            ...manageWebhooks(ports, defaultEndpointPolicy),
            test: testWebhook({ ...ports, encodeEvent }, headerPrefix),
            reactivate: (tenantId: string, id: string) =>
              webhooks.reactivate(tenantId, id, defaultEndpointPolicy, system.now()),
          }
        },
        [STORES, SYSTEM, WEBHOOK_PORTS],
      )
      .inSingletonScope()
  })
