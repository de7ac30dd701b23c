import * as quipu from '@quipu/core'
import { installationIds } from '@quipu/core/adapter'
import { type ComparedNewestPayments, compareNewestPayments } from '@quipu/core/operator'
import { postgresStores, type PostgresStores } from '@quipu/postgres'
import { type HttpQrNetwork, httpQrNetwork } from '@quipu/qr-network'
import { fixedRate } from '@quipu/rates'
import { systemPorts } from '@quipu/core/system'
import { encodeEvent } from '@quipu/wire'
import { ContainerModule, type ServiceIdentifier } from 'inversify'

/** A typed service identifier; at run time a plain symbol. */
const token = <T>(name: string) => Symbol(name) as ServiceIdentifier<T>

export const STORES = token<PostgresStores>('Stores')
export const CREATE_QUOTE = token<quipu.CreateQuote>('CreateQuote')
export const CREATE_PAYOUT = token<quipu.CreatePayout>('CreatePayout')
export const RESUME_PAYOUT = token<quipu.ResumePayout>('ResumePayout')
export const COMPARE_PAYMENTS = token<() => Promise<ComparedNewestPayments>>('ComparePayments')
const NETWORK = token<HttpQrNetwork>('QrNetwork')

const system = { ...systemPorts(), encodeEvent, raiseAlert: console.error }
const rates = fixedRate({ bid: quipu.rate(99_500n), now: system.now })

export type Settings = {
  readonly databaseUrl: string
  readonly qrNetwork: { readonly url: string; readonly token: string }
}

/** Binds the core, its stores and the QR network in a container of your own. */
export const quipuModule = ({ databaseUrl, qrNetwork }: Settings) =>
  new ContainerModule(({ bind }) => {
    bind(CREATE_QUOTE)
      .toResolvedValue((stores) => quipu.createQuote({ ...stores, ...system, rates }, { lifeSeconds: 60 }), [STORES])
      .inSingletonScope()
    bind(CREATE_PAYOUT)
      .toResolvedValue(
        ({ payouts, differences, installation }, network) => {
          // The network's statement then shows which payments are of this database.
          const ids = installationIds(installation, system.ids)
          const ports = { payouts, differences, network, ...system, ids }
          return quipu.createPayout(ports, quipu.defaultPayoutSettings)
        },
        [STORES, NETWORK],
      )
      .inSingletonScope()
    bind(RESUME_PAYOUT)
      .toResolvedValue(
        (stores, network) => quipu.resumePayout({ ...stores, network, ...system }, quipu.defaultResumeSettings),
        [STORES, NETWORK],
      )
      .inSingletonScope()
    bind(COMPARE_PAYMENTS)
      .toResolvedValue(
        (stores, network) => compareNewestPayments({ ...stores, network, now: system.now, ids: system.ids }),
        [STORES, NETWORK],
      )
      .inSingletonScope()
    // Deactivation runs in the order of binding: bind connections after their users.
    bind(NETWORK)
      .toResolvedValue(() => httpQrNetwork(qrNetwork))
      .inSingletonScope()
      .onDeactivation((network) => network.stop())
    bind(STORES)
      .toResolvedValue(() => postgresStores({ url: databaseUrl }))
      .inSingletonScope()
      .onDeactivation((stores) => stores.close())
  })
