import type { ChainBlock, TokenTransfer } from './chain.ts'
import type { TransferRef } from './deposit.ts'
import { observeTransfers } from './observe-transfers.ts'
import type { UnconfirmedTransfer } from './ports.ts'
import {
  type Scan,
  type ScanPorts,
  scanPortsShape,
  scanRange,
  type ScanSettings,
  scanSettingsShape,
  withReports,
  withScanClaim,
} from './scan.ts'
import { checkPorts, checkSettings } from '../shape.ts'

/**
 * Scans every solid block, each linked to its parent, independently of the head's scan.
 *
 * Solid blocks are final: they confirm a transfer with its amount, or prove that it will never happen.
 * Either makes the deposit due.
 *
 * @source spec §3 Deposit statuses; how is assumed
 * @example
 * ```ts
 * const scan = scanSolid(ports, defaultScanSettings)
 * await scan() // the first poll starts at the newest solid block
 * const topUp = await ensureTopUpAddress(ports, 'tron')(tenant.id)
 * chain.transfer(topUp.account, usdt(25_000_000n))
 * const poll = await scan()
 * console.log(poll.state, poll.transfers, poll.lagBlocks) // idle 1 0
 * ```
 */
export function scanSolid(given: ScanPorts, settings: ScanSettings): Scan {
  checkPorts('scanSolid', given, scanPortsShape)
  checkSettings('scanSolid', settings, scanSettingsShape)
  const ports = withReports(given, 'solid')
  const contradicted = reportOnce(ports)
  return () =>
    withScanClaim(ports, 'solid', settings, async ({ claim, at }) => {
      const { reader } = ports
      const newest = (await reader.head('solid')).number
      // Nodes have no receipts of the genesis block's transactions, which move no token.
      const start = settings.firstBlock ?? Math.max(1, newest)
      const first = at === undefined ? start : at.number + 1
      const last = Math.min(newest, first - 1 + settings.blocksPerPoll)
      const observe = async (blocks: readonly ChainBlock[]) => {
        const observed = await observeTransfers(ports, blocks)
        return { ...observed, gone: await findGone(ports, blocks) }
      }
      const range = { claim, after: at, from: at, first, last }
      const { stopped, at: end, totals } = await scanRange(ports, settings, range, observe)
      const through = end?.number ?? first - 1
      const lagBlocks = Math.max(0, newest - through)
      if (stopped === 'unlinked') {
        contradicted.report(`solid block ${through + 1} does not follow ${end?.id}`)
        return { ...totals, lagBlocks, state: 'contradicted' }
      }
      if (totals.blocks > 0) contradicted.end()
      if (stopped === 'lost') return { ...totals, lagBlocks, state: 'leased' }
      return { ...totals, lagBlocks, state: last < newest ? 'more' : 'idle' }
    })
}

/**
 * Raises one alert for a halt, until this scan has read blocks that link. Another process may advance the scan meanwhile,
 * so that each poll meets another block.
 */
function reportOnce({ reader, raiseAlert }: Pick<ScanPorts, 'reader' | 'raiseAlert'>) {
  let isRaised = false
  return {
    report(detail: string): void {
      if (isRaised) return
      isRaised = true
      raiseAlert({ code: 'CHAIN_CONTRADICTS', tenantId: null, subject: reader.chain, detail })
    },
    end(): void {
      isRaised = false
    },
  }
}

/**
 * The pending transfers that this run of solid blocks proves will never happen: their transaction is in
 * it without them, or is in no solid block up to its end and too late for later ones.
 *
 * The scan has read all earlier solid blocks, so an unconfirmed transfer is in none of them.
 */
async function findGone(
  { scans, reader, format }: ScanPorts,
  blocks: readonly ChainBlock[],
): Promise<readonly TransferRef[]> {
  const end = blocks.at(-1)
  if (end === undefined) return []
  const unconfirmed = await scans.unconfirmed(reader.chain, end.number)
  if (unconfirmed.length === 0) return []
  const included = new Set(blocks.flatMap(({ transactions }) => transactions))
  const confirmed = new Set(
    blocks.flatMap(({ transfers }) =>
      transfers
        .filter(({ value }) => value > 0n)
        .map((each) => keyOf(each, each.index, format.format(each.to))),
    ),
  )
  return unconfirmed
    .filter((each) => !confirmed.has(keyOf(each, each.transferIndex, each.address)))
    .filter(({ txHash, expiresAt }) => included.has(txHash) || expiresAt <= end.at)
    .map(({ chain, txHash, transferIndex }) => ({ chain, txHash, transferIndex }))
}

const keyOf = (
  { txHash }: Pick<TokenTransfer | UnconfirmedTransfer, 'txHash'>,
  index: number,
  address: string,
): string => `${txHash}:${index}:${address}`
