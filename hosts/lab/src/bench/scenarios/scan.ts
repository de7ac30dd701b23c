import { createHash } from 'node:crypto'
import { defaultScanSettings, type Scan, scanSolid } from '@quipu/core'
import { postgresStores } from '@quipu/postgres'
import { systemClock, systemIds, systemTimer } from '@quipu/core/system'
import { tronAddresses, tronAddressFormat, tronChainReader, tronNode } from '@quipu/tron'
import { encodeEvent } from '@quipu/wire'
import type pg from 'pg'
import { startChild } from '../process/child.ts'
import { makeTopUpAddresses, type TopUpAddresses } from '../data/top-up-addresses.ts'

export type ScanResult = {
  /** Blocks a second that the node sends, without scanning them. */
  readonly nodePerSecond: number
  /** Blocks scanned a second. */
  readonly perSecond: number
  /** CPU time of this process for one block, in ms. */
  readonly cpuMs: number
  readonly rssMb: number
  /** Deposits that were found, and deposits in the blocks. */
  readonly found: readonly [found: number, expected: number]
}

export type ScanPlan = { readonly addresses: number; readonly blocks: number; readonly transactions: number }

/** Scans blocks full of transfers as fast as the node sends them. */
export async function measureScan(db: pg.Client, url: string, plan: ScanPlan): Promise<ScanResult> {
  const topUps = await makeTopUpAddresses(db, plan.addresses)
  const node = await startNode(plan, topUps)
  const stores = postgresStores({ url })
  try {
    const scan = scanOf(node.url, stores, topUps)
    const [start, cpuBefore] = [performance.now(), process.cpuUsage()]
    let blocks = 0
    let rssMb = 0
    while (blocks < plan.blocks) {
      const poll = await scan()
      if (poll.blocks === 0) throw new Error(`the scan has stopped after ${blocks} blocks: ${poll.state}`)
      blocks += poll.blocks
      rssMb = Math.max(rssMb, process.memoryUsage().rss / 2 ** 20)
    }
    const { user, system } = process.cpuUsage(cpuBefore)
    const { rows } = await db.query<{ count: string }>('select count(*) from quipu.deposit')
    const perSecond = (blocks * 1_000) / (performance.now() - start)
    return {
      nodePerSecond: await nodeRate(node.url, Math.min(blocks, 500)),
      perSecond,
      cpuMs: (user + system) / 1_000 / blocks,
      rssMb,
      found: [Number(rows[0]?.count), Math.floor(plan.blocks / 10)],
    }
  } finally {
    await stores.close()
    await node.stop()
  }
}

const token = createHash('sha256').update('token').digest('hex').slice(0, 40)

function scanOf(url: string, stores: ReturnType<typeof postgresStores>, topUps: TopUpAddresses): Scan {
  const node = tronNode({ url, requestsPerSecond: 1_000_000, timer: systemTimer })
  const reader = tronChainReader({ node, tokenContract: tronAddressFormat.format(token) })
  const ours = { addressSource: tronAddresses(topUps.xpub), format: tronAddressFormat }
  const system = { encodeEvent, ids: systemIds, now: systemClock, raiseAlert: () => undefined }
  const ports = { ...stores, reader, ...ours, addressMacKeys: topUps.addressMacKeys, ...system }
  return scanSolid(ports, { ...defaultScanSettings, firstBlock: 1, blocksPerPoll: 500 })
}

/** Requests blocks as the reader does, with as many in flight, and discards them. */
async function nodeRate(url: string, blocks: number): Promise<number> {
  let next = 1
  const fetchBlock = async (endpoint: string, num: number): Promise<void> => {
    const body = JSON.stringify({ num })
    const reply = await fetch(`${url}/walletsolidity/${endpoint}`, { method: 'POST', body })
    await reply.arrayBuffer()
  }
  const reading = async (): Promise<void> => {
    for (let number = next++; number <= blocks; number = next++) {
      await fetchBlock('getblockbynum', number)
      await fetchBlock('gettransactioninfobyblocknum', number)
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: defaultScanSettings.readAhead }, reading))
  return (blocks * 1_000) / (performance.now() - start)
}

async function startNode({ transactions, blocks }: ScanPlan, { account }: TopUpAddresses) {
  const child = await startChild<number>('block-node', [String(transactions), account])
  await child.request(String(blocks))
  return { url: `http://127.0.0.1:${child.ready}`, stop: () => child.stop() }
}
