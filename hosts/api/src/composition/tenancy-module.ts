import { authenticate, defaultEndpointPolicy } from '@quipu/core'
import { keyKindOf } from '@quipu/core/adapter'
import { controlEndpoints, manageApiKeys, manageOwnKeys, manageTenants } from '@quipu/core/operator'
import { ContainerModule } from 'inversify'
import { proposalSettingsOf, unapprovedLimitsOf } from '../settings/proposal-settings.ts'
import type { AppSettings } from '../settings/settings.ts'
import { SCREEN, STORES, SYSTEM, TENANCY } from './symbols.ts'

export const tenancyModule = (settings: AppSettings): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const kind = keyKindOf(settings.ENVIRONMENT)
    const { approvableSeconds } = proposalSettingsOf(settings)
    const unapprovedLimits = unapprovedLimitsOf(settings)
    bind(TENANCY).toResolvedValue(
      (stores, { ids, now, random, inBackground }, screen) => {
        const ports = { ...stores, ids, now, random }
        return {
          authenticate: authenticate({ ...ports, inBackground }, kind),
          manageTenants: manageTenants(
            { ...ports, ...(screen && { screen }) },
            { approvableSeconds, unapprovedLimits, defaultMarginBps: settings.DEFAULT_MARGIN_BPS },
          ),
          manageApiKeys: manageApiKeys(ports, kind, { approvableSeconds }),
          manageOwnKeys: manageOwnKeys(ports),
          controlEndpoints: controlEndpoints(ports, defaultEndpointPolicy),
        }
      },
      [STORES, SYSTEM, SCREEN],
    )
  })
