import type { QrNetwork, RateSource, SandboxQrIssuer } from '@quipu/core'
import type { NetworkCallbacks } from '@quipu/qr-network'
import type { Express } from 'express'
import { Container } from 'inversify'
import { appModule } from './app-module.ts'
import type { AppSettings } from './settings.ts'
import {
  CALLBACKS,
  NETWORK,
  OPERATOR_APP,
  PUBLIC_APP,
  RATES,
  SANDBOX_QRS,
  type Stores,
  STORES,
  type System,
  SYSTEM,
} from './tokens.ts'
import { payingModule, tenancyModule } from './use-case-module.ts'

/** Everything that the API stands on. */
export type AppPorts = {
  readonly stores: Stores
  readonly network: Pick<QrNetwork, 'readQr' | 'pay'>
  readonly rates: RateSource
  /** Left out: there are no test QRs. */
  readonly sandboxQrs?: SandboxQrIssuer
  /** Left out: every callback of the network is refused. */
  readonly callbacks?: NetworkCallbacks
  readonly system: System
}

export type Apps = { readonly publicApp: Express; readonly operatorApp: Express }

/** The API over any ports, listening nowhere yet: for tests, benchmarks and embedding. */
export function createApp(ports: AppPorts, settings: AppSettings): Apps {
  const container = new Container()
  container.bind(STORES).toConstantValue(ports.stores)
  container.bind(NETWORK).toConstantValue(ports.network)
  container.bind(RATES).toConstantValue(ports.rates)
  container.bind(SANDBOX_QRS).toConstantValue(ports.sandboxQrs)
  container.bind(CALLBACKS).toConstantValue(ports.callbacks)
  return composeApps(container, ports.system, settings)
}

/** The apps over the ports that are bound already. */
export function composeApps(container: Container, system: System, settings: AppSettings): Apps {
  container.bind(SYSTEM).toConstantValue(system)
  container.load(payingModule(settings), tenancyModule(settings), appModule(settings))
  return { publicApp: container.get(PUBLIC_APP), operatorApp: container.get(OPERATOR_APP) }
}
