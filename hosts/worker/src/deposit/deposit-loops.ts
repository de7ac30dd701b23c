import {
  creditFault,
  defaultScanSettings,
  type Scan,
  scanHead,
  type ScanSettings,
  scanSolid,
  settleDeposit,
  Unavailable,
} from '@quipu/core'
import { renewAddressMacs } from '@quipu/core/operator'
import type { PostgresStores } from '@quipu/postgres'
import { logAlert, type NamedLoop, namedLoop, type PollingLoop, systemIds } from '@quipu/runtime'
import { inWorkSpan, type SpanFacts } from '@quipu/tracing'
import { tronAddresses, tronAddressFormat as format } from '@quipu/tron'
import { encodeEvent } from '@quipu/wire'
import { claimLoop } from '../loop/claim-loop.ts'
import { logFailures } from '../loop/log-failures.ts'
import { systemTiming } from '../loop/system-timing.ts'
import { keyRenewalLoop } from '../maintenance/key-renewal.ts'
import type { Chain, WorkerContext } from '../ports.ts'
import type { TronWorkerSettings } from '../settings/settings.ts'
import { accountsOf } from './chain.ts'
import { creditWatch } from './credit-watch.ts'
import { scanLoop } from './scan-loop.ts'

type Context = WorkerContext<TronWorkerSettings>
type DepositStores = Pick<
  PostgresStores,
  'scans' | 'addresses' | 'deposits' | 'ledgerCheck' | 'differences'
>

/** Scans the chain for deposits, settles them, compares credits with the chain, and renews address MACs. */
export function depositLoops(
  context: Context,
  stores: DepositStores,
  chain: Chain,
): readonly NamedLoop[] {
  return [
    namedLoop('scan_head', scanLoopOf(context, stores, chain, 'head')),
    namedLoop('scan_solid', scanLoopOf(context, stores, chain, 'solid')),
    namedLoop('deposits', settleLoop(context, stores, chain)),
    namedLoop('credit_check', creditLoop(context, stores, chain), creditCheckHaltedAfterMs),
    keyRenewalLoop(
      renewAddressMacs({ ...stores, ...addressPorts(context.settings) }),
      context.log,
      { values: 'address MACs', setting: 'ADDRESS_MAC_KEY', loop: 'address_mac_renewal' },
    ),
  ]
}

/** A poll reads up to forty blocks, at the pace that the scans leave. */
const creditCheckHaltedAfterMs = 900_000

function scanLoopOf(
  { settings, log, now }: Context,
  { scans, addresses }: DepositStores,
  { reader, checked }: Chain,
  view: 'head' | 'solid',
): PollingLoop {
  const scanOf = view === 'head' ? scanHead : scanSolid
  const system = { encodeEvent, ids: systemIds, now, raiseAlert: logAlert(log) }
  const ports = { scans, addresses, reader, ...addressPorts(settings), ...system }
  const scan = scanOf(ports, scanSettings(settings))
  return scanLoop(
    {
      scan: () =>
        checked().then(() => inWorkSpan(workSpan(`scan ${view} blocks`), undefined, scan)),
      ...systemTiming,
      onPoll: ({ state, ...counts }: Awaited<ReturnType<Scan>>) => {
        if (state === 'contradicted')
          log.error({ view }, 'chain scan halted: blocks contradict each other; check the provider')
        else log.debug({ view, ...counts }, 'chain scanned')
      },
      report: (error) => {
        const level = error instanceof Unavailable ? 'warn' : 'error'
        log[level]({ err: error, view }, 'chain scan failed; retrying')
      },
    },
    { pollMs: settings.TRON_POLL_MS },
  )
}

function settleLoop(
  { settings, log, now }: Context,
  { deposits, addresses }: DepositStores,
  { reader, verifier }: Chain,
): PollingLoop {
  const system = { encodeEvent, ids: systemIds, now, raiseAlert: logAlert(log) }
  const ports = { deposits, addresses, reader, ...addressPorts(settings), ...system }
  const settle = settleDeposit(verifier ? { ...ports, verifier } : ports, {
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
  const traced = (claimed: Parameters<typeof settle>[0]): Promise<unknown> =>
    inWorkSpan(workSpan('settle deposit'), undefined, () => settle(claimed))
  const report = logFailures(log, {
    claim: 'claiming deposits failed; retrying',
    work: 'settling a deposit failed; retrying when its lease ends',
  })
  const { WORKER_CONCURRENCY: concurrency, WORKER_IDLE_MS: idleMs } = settings
  const leaseSeconds = settings.DEPOSIT_LEASE_SECONDS
  return claimLoop(
    { claimDue: deposits.claimDue, work: traced, report, ...systemTiming },
    { concurrency, idleMs, leaseSeconds },
  )
}

function creditLoop(
  { settings, log, now }: Context,
  { ledgerCheck, differences }: DepositStores,
  { reader }: Chain,
): PollingLoop {
  const everySeconds = settings.LEDGER_CHECK_SECONDS
  const ports = { reader, ...addressPorts(settings) }
  return creditWatch(
    {
      check: ledgerCheck,
      faultOf: (credit) => creditFault(ports, credit),
      differences,
      ids: systemIds,
      now,
      timer: systemTiming.timer,
      report: (error) =>
        log.error({ err: error }, `credit check failed; retrying in ${everySeconds} s`),
    },
    { everySeconds },
  )
}

const workSpan = (name: string): SpanFacts => ({
  scope: '@quipu/worker',
  name,
  kind: 'internal',
})

const addressPorts = ({ TRON_XPUB, ADDRESS_MAC_KEY: addressMacKeys }: TronWorkerSettings) => ({
  source: tronAddresses(TRON_XPUB),
  format,
  addressMacKeys,
})

const scanSettings = (settings: TronWorkerSettings): ScanSettings => {
  const { TRON_FIRST_BLOCK: firstBlock, SCAN_LEASE_SECONDS: leaseSeconds } = settings
  const first = firstBlock === undefined ? {} : { firstBlock }
  return { ...defaultScanSettings, ...first, leaseSeconds }
}
