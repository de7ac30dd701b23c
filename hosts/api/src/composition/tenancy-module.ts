import { authenticate, defaultEndpointPolicy } from '@quipu/core'
import { controlEndpoints, manageApiKeys, manageTenants } from '@quipu/core/operator'
import { ContainerModule } from 'inversify'
import type { AppSettings } from '../settings/settings.ts'
import { STORES, SYSTEM, TENANCY } from './symbols.ts'

export const tenancyModule = ({ ENVIRONMENT }: AppSettings): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const kind = ENVIRONMENT === 'production' ? 'live' : 'test'
    bind(TENANCY).toResolvedValue(
      ({ tenants, apiKeys, endpointControl, deliveries }, { ids, now, random, background }) => ({
        authenticate: authenticate({ apiKeys, now, inBackground: background.run }, kind),
        manageTenants: manageTenants({ tenants, ids, now }),
        manageApiKeys: manageApiKeys({ tenants, apiKeys, ids, now, random }, kind),
        controlEndpoints: controlEndpoints(
          { endpointControl, deliveries, now },
          defaultEndpointPolicy,
        ),
      }),
      [STORES, SYSTEM],
    )
  })
