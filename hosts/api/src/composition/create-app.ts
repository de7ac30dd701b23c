import type { QrNetwork, RateSource, SandboxQrIssuer } from '@quipu/core'
import type { NetworkCallbacks } from '@quipu/qr-network'
import { type Metrics, prometheusMetrics } from '@quipu/runtime'
import type { Express } from 'express'
import { Container } from 'inversify'
import { operatorModule, publicModule } from './app-module.ts'
import { backlogReader } from '../metrics/backlog-metrics.ts'
import type { Extension } from '../extension.ts'
import { figures } from '../metrics/api-metrics.ts'
import { faucetModule, fundingModule } from './funding-module.ts'
import type { AppSettings } from '../settings/settings.ts'
import {
  CALLBACKS,
  EXTENSION,
  FAUCET_CHAIN,
  type FaucetChain,
  FIGURES,
  NETWORK,
  OPERATOR_APP,
  PUBLIC_APP,
  RATES,
  SANDBOX_QRS,
  type Stores,
  STORES,
  type System,
  SYSTEM,
  TOP_UPS,
  type TopUps,
  WEBHOOK_PORTS,
  type WebhookPorts,
} from '../ports.ts'
import { payingModule, tenancyModule } from './use-case-module.ts'
import { webhookModule } from './webhook-module.ts'

/** Everything that the API stands on. */
export type AppPorts = {
  readonly stores: Stores
  readonly network: Pick<QrNetwork, 'readQr' | 'pay'>
  readonly rates: RateSource
  /** Left out: there are no test QRs. */
  readonly sandboxQrs?: SandboxQrIssuer
  /** Left out: every callback of the network is refused. */
  readonly callbacks?: NetworkCallbacks
  /** Left out: wallets have no top-up addresses. */
  readonly topUps?: TopUps
  /** Left out: there is no faucet. */
  readonly faucetChain?: FaucetChain
  /** Left out: there are no webhook endpoints; events are kept all the same. */
  readonly webhooks?: WebhookPorts
  /** Left out: the public API is as it is. */
  readonly extension?: Extension
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
  container.bind(TOP_UPS).toConstantValue(ports.topUps)
  container.bind(FAUCET_CHAIN).toConstantValue(ports.faucetChain)
  container.bind(WEBHOOK_PORTS).toConstantValue(ports.webhooks)
  return composeApps(container, ports.system, settings, prometheusMetrics(), ports.extension)
}

/** The apps over the ports that are bound already. */
export function composeApps(
  container: Container,
  system: System,
  settings: AppSettings,
  metrics: Metrics,
  extension: Extension = {},
): Apps {
  container.bind(SYSTEM).toConstantValue(system)
  container.bind(EXTENSION).toConstantValue(extension)
  container
    .bind(FIGURES)
    .toResolvedValue(
      ({ backlog }: Stores) =>
        figures(
          metrics,
          backlogReader(() => backlog.read(), system),
        ),
      [STORES],
    )
    .inSingletonScope()
  container.load(payingModule(settings), tenancyModule(settings))
  container.load(fundingModule(), faucetModule(settings), webhookModule(settings))
  container.load(publicModule(settings), operatorModule(settings))
  return { publicApp: container.get(PUBLIC_APP), operatorApp: container.get(OPERATOR_APP) }
}
