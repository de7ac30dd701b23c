import {
  creditFault,
  defaultScanSettings,
  type ScanPoll,
  scanHead,
  type ScanSettings,
  scanSolid,
  type Screen,
  Unavailable,
  type UnmatchedTransfer,
} from '@quipu/core'
import { renewAddressMacs } from '@quipu/core/operator'
import { type NamedLoop, namedLoop, type PollingLoop } from '@quipu/runtime'
import { inWorkSpan } from '@quipu/tracing'
import { tronAddressFormat } from '@quipu/tron'
import { encodeEvent } from '@quipu/wire'
import { keyRenewalLoop } from '../maintenance/key-renewal.ts'
import type { Chain, WorkerContext, WorkerStores } from '../ports.ts'
import { workSpan } from '../loop/work-span.ts'
import type { TronWorkerSettings } from '../settings/settings.ts'
import { addressPorts } from './address-ports.ts'
import { creditWatch } from './credit-watch.ts'
import { scanLoop } from './scan-loop.ts'
import { type ScanMetrics, scanMetrics } from './scan-metrics.ts'
import { settleLoop } from './settle-loop.ts'
import { tokenWatch } from './token-watch.ts'

type Context = WorkerContext<TronWorkerSettings>
type DepositStores = Pick<WorkerStores, 'scans' | 'addresses' | 'deposits' | 'ledgerCheck' | 'differences'>

/** Scans the chain for deposits, settles them, compares credits with the chain, and renews address MACs. */
export function depositLoops(
  context: Context,
  stores: DepositStores,
  chain: Chain,
  screen: Screen | undefined,
): readonly NamedLoop[] {
  const scanned = scanMetrics(context.metrics)
  return [
    namedLoop('scan_head', scanLoopOf(context, stores, chain, 'head', scanned)),
    namedLoop('scan_solid', scanLoopOf(context, stores, chain, 'solid', scanned)),
    namedLoop('deposits', settleLoop(context, stores, chain, screen)),
    namedLoop('token_state', tokenLoop(context, chain)),
    namedLoop('credit_check', creditLoop(context, stores, chain), creditCheckHaltedAfterMs),
    keyRenewalLoop(renewAddressMacs({ ...stores, ...addressPorts(context.settings) }), context, {
      values: 'address MACs',
      setting: 'ADDRESS_MAC_KEY',
      loop: 'address_mac_renewal',
    }),
  ]
}

/** A poll reads up to forty blocks, at the pace that the scans leave. */
const creditCheckHaltedAfterMs = 900_000

function scanLoopOf(
  { settings, log, raiseAlert, now, record, ids, timing }: Context,
  { scans, addresses }: DepositStores,
  { reader }: Chain,
  view: 'head' | 'solid',
  { countBlocks, countTransfers, countUnmatched }: ScanMetrics,
): PollingLoop {
  const scanOf = view === 'head' ? scanHead : scanSolid
  const system = { encodeEvent, ids, now, raiseAlert }
  const ports = { scans, addresses, reader, ...addressPorts(settings), ...system }
  const scan = scanOf(ports, scanSettings(settings))
  return scanLoop(
    {
      scan: () => inWorkSpan(workSpan(`scan ${view} blocks`), undefined, scan),
      ...timing,
      onPoll: ({ state, ...counts }, startedAt) => {
        countBlocks({ view }, counts.blocks)
        countTransfers({ view }, counts.transfers)
        const about = { view, ...scanCounts(counts) }
        const work = { unit: 'scan', startedAt, about } as const
        if (view === 'solid') {
          countUnmatched({ kind: 'zero_value' }, counts.zeroValue)
          countUnmatched({ kind: 'unknown_token' }, counts.unknownTokenTransfers)
          for (const each of counts.unmatched) log.info(unmatchedMembers(each), unmatchedText)
        }
        if (state === 'contradicted' || state === 'keys_missing')
          record({ ...work, result: state, level: 'error', message: haltedTexts[state] })
        else if (state !== 'leased')
          record({
            ...work,
            result: state,
            message: 'blocks were scanned',
            level: counts.transfers > 0 ? 'info' : 'debug',
          })
      },
      report: (error, startedAt) =>
        record({
          unit: 'scan',
          result: 'error',
          startedAt,
          about: { view, err: error },
          level: isOutage(error) ? 'warn' : 'error',
          message: 'chain scan failed; retrying',
        }),
    },
    { pollMs: settings.TRON_POLL_MS },
  )
}

/** An error of the chain has a cause when an operator must mend it: another chain's node, or a URL that is missing. */
const isOutage = (error: unknown): boolean =>
  error instanceof Unavailable && (error.dependency !== 'chain' || error.cause === undefined)

const tokenLoop = ({ settings, log, raiseAlert, timing }: Context, { reader }: Chain): PollingLoop =>
  tokenWatch({
    reader,
    contract: settings.TRON_TOKEN_CONTRACT,
    raiseAlert,
    timer: timing.timer,
    report: (error) => log.error({ err: error }, 'reading the token’s state failed; retrying'),
  })

function creditLoop(
  { settings, log, now, ids, timing }: Context,
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
      ids,
      now,
      timer: timing.timer,
      report: (error) => log.error({ err: error }, `credit check failed; retrying in ${everySeconds} s`),
    },
    { everySeconds },
  )
}

const haltedTexts = {
  contradicted: 'chain scan halted: blocks contradict each other; check the provider',
  keys_missing: 'chain scan halted: top-up addresses fail their checks; see ADDRESS_KEYS_MISSING',
}
const unmatchedText = 'a transfer to a top-up address opens no deposit: nothing is credited'

const unmatchedMembers = ({ kind, tenantId, address, txHash, contract }: UnmatchedTransfer) => ({
  kind,
  tenant_id: tenantId,
  address,
  tx_hash: txHash,
  ...(contract !== null && { contract: tronAddressFormat.format(contract) }),
})

const scanCounts = (counts: Omit<ScanPoll, 'state'>) => ({
  blocks: counts.blocks,
  transfers: counts.transfers,
  zero_value_transfers: counts.zeroValue,
  unknown_token_transfers: counts.unknownTokenTransfers,
  lag_blocks: counts.lagBlocks,
})

const scanSettings = (settings: TronWorkerSettings): ScanSettings => {
  const { TRON_FIRST_BLOCK: firstBlock, SCAN_LEASE_SECONDS: leaseSeconds } = settings
  const first = firstBlock === undefined ? {} : { firstBlock }
  return { ...defaultScanSettings, ...first, leaseSeconds }
}
