import {
  type Clock,
  type Broadcaster,
  type ChainReader,
  creditFault,
  type CreditRecord,
  defaultScanSettings,
  settleFaucetSend,
  type Scan,
  type ScanPorts,
  scanHead,
  type ScanSettings,
  scanSolid,
  settleDeposit,
  type SettleDeposit,
  Unavailable,
} from '@quipu/core'
import type { PostgresStores } from '@quipu/postgres'
import {
  type Logger,
  logAlert,
  type PollingLoop,
  systemIds,
  systemTimer,
  type WithTron,
} from '@quipu/runtime'
import { tronAddresses, tronAddressFormat as format } from '@quipu/tron'
import { encodeEvent } from '@quipu/wire'
import { ContainerModule } from 'inversify'
import { accountsOf, BROADCASTER, CHECKED, READER, VERIFIER } from './chain-module.ts'
import { type ClaimLoop, claimLoop } from '../loop/claim-loop.ts'
import { creditWatch } from '../deposit/credit-watch.ts'
import { scanLoop } from '../deposit/scan-loop.ts'
import type { WorkerSettings } from '../settings/settings.ts'
import { named, STORES } from './symbols.ts'

type Settings = WithTron<WorkerSettings>

const SETTLE = named<SettleDeposit>('SettleDeposit')
export const HEAD_LOOP = named<PollingLoop>('HeadLoop')
export const SOLID_LOOP = named<PollingLoop>('SolidLoop')
export const DEPOSIT_LOOP = named<ClaimLoop>('DepositLoop')
export const CREDIT_WATCH = named<PollingLoop>('CreditWatch')
export const FAUCET_LOOP = named<ClaimLoop>('FaucetLoop')

const views = [
  [HEAD_LOOP, 'head', scanHead],
  [SOLID_LOOP, 'solid', scanSolid],
] as const

/** The scans of the chain. */
export const scansModule = (settings: Settings, log: Logger, now: Clock): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const { TRON_POLL_MS: pollMs } = settings
    for (const [token, view, scanOf] of views)
      bind(token)
        .toResolvedValue(
          (
            { scans, addresses }: PostgresStores,
            reader: ChainReader,
            checked: () => Promise<void>,
          ) => {
            const ours = addressesOf(settings)
            const ports: ScanPorts = { scans, addresses, reader, ...ours, ...recording(log, now) }
            const scan = scanOf(ports, scanSettingsOf(settings))
            const whenChecked: Scan = () => checked().then(scan)
            return scanLoop(
              { scan: whenChecked, timer: systemTimer, ...telling(log, view) },
              { pollMs },
            )
          },
          [STORES, READER, CHECKED],
        )
        .inSingletonScope()
  })

/** What becomes of the deposits that the scans have found. */
export const settlingModule = (settings: Settings, log: Logger, now: Clock): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(DEPOSIT_LOOP)
      .toResolvedValue(
        ({ deposits }: PostgresStores, work: SettleDeposit) => {
          const report = (error: unknown): void =>
            log.error({ err: error }, 'a deposit could not be settled')
          const { WORKER_AT_ONCE: atOnce, WORKER_IDLE_MS: idleMs } = settings
          const pace = { atOnce, idleMs, leaseSeconds: settings.DEPOSIT_LEASE_SECONDS }
          return claimLoop({ ...deposits, work, timer: systemTimer, report }, pace)
        },
        [STORES, SETTLE],
      )
      .inSingletonScope()
    bind(SETTLE)
      .toResolvedValue(
        ({ deposits, addresses }: PostgresStores, reader: ChainReader, verifier?: ChainReader) => {
          const ours = addressesOf(settings)
          const ports = { deposits, addresses, reader, ...ours, ...recording(log, now) }
          return settleDeposit(verifier ? { ...ports, verifier } : ports, {
            rules: {
              minimum: settings.DEPOSIT_MINIMUM,
              autoLimit: settings.DEPOSIT_AUTO_LIMIT,
              verifyFrom: settings.DEPOSIT_VERIFY_FROM,
              unverifiedLimits: {
                perTenant: settings.DEPOSIT_UNVERIFIED_TENANT_LIMIT,
                inAll: settings.DEPOSIT_UNVERIFIED_TOTAL_LIMIT,
              },
            },
            serviceAccounts: accountsOf(settings.TRON_SERVICE_ADDRESSES),
          })
        },
        [STORES, READER, VERIFIER],
      )
      .inSingletonScope()
  })

/** Whether the chain shows what was credited. */
export const creditsModule = (settings: Settings, log: Logger, now: Clock): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(CREDIT_WATCH)
      .toResolvedValue(
        ({ ledgerCheck: check }: PostgresStores, reader: ChainReader) => {
          const ours = { reader, ...addressesOf(settings) }
          const faultOf = (credit: CreditRecord) => creditFault(ours, credit)
          const report = (error: unknown): void =>
            log.error({ err: error }, 'credit check failed; retrying at its next turn')
          const system = { raiseAlert: logAlert(log), now, timer: systemTimer, report }
          const everySeconds = settings.LEDGER_CHECK_SECONDS
          return creditWatch({ check, faultOf, ...system }, { everySeconds })
        },
        [STORES, READER],
      )
      .inSingletonScope()
  })

/** What becomes of what the sandbox's faucet has sent. */
export const faucetModule = (settings: Settings, log: Logger, now: Clock): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(FAUCET_LOOP)
      .toResolvedValue(
        ({ faucet }: PostgresStores, broadcaster: Broadcaster) => {
          const work = settleFaucetSend({ faucet, broadcaster, now })
          const report = (error: unknown): void =>
            log.error({ err: error }, 'a faucet send could not be finished')
          const { WORKER_AT_ONCE: atOnce, WORKER_IDLE_MS: idleMs } = settings
          const pace = { atOnce, idleMs, leaseSeconds: settings.DEPOSIT_LEASE_SECONDS }
          return claimLoop({ ...faucet, work, timer: systemTimer, report }, pace)
        },
        [STORES, BROADCASTER],
      )
      .inSingletonScope()
  })

const addressesOf = ({ TRON_XPUB, ADDRESS_MAC_KEY: addressMacKey }: Settings) => ({
  source: tronAddresses(TRON_XPUB),
  format,
  addressMacKey,
})

const scanSettingsOf = (settings: Settings): ScanSettings => {
  const { TRON_FIRST_BLOCK: firstBlock, SCAN_LEASE_SECONDS: leaseSeconds } = settings
  const first = firstBlock === undefined ? {} : { firstBlock }
  return { ...defaultScanSettings, ...first, leaseSeconds }
}

const recording = (log: Logger, now: Clock) => ({
  encodeEvent,
  ids: systemIds,
  now,
  raiseAlert: logAlert(log),
})

const telling = (log: Logger, view: string) => ({
  tell: ({ state, ...counts }: Awaited<ReturnType<Scan>>): void => {
    if (state === 'contradicted') log.error({ view }, 'the scan stands still')
    else log.debug({ view, ...counts }, 'scanned')
  },
  report: (error: unknown): void => {
    const level = error instanceof Unavailable ? 'warn' : 'error'
    log[level]({ err: error, view }, 'the chain could not be scanned')
  },
})
