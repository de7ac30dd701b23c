import { createHash } from 'node:crypto'
import { defaultScanSettings, type Scan, scanSolid } from '@quipu/core'
import { postgresStores } from '@quipu/postgres'
import { systemClock, systemIds, systemTimer } from '@quipu/runtime'
import { tronAddresses, tronAddressFormat, tronChainReader, tronNode } from '@quipu/tron'
import { encodeEvent } from '@quipu/wire'
import type pg from 'pg'
import { startChild } from '../process/child.ts'
import { makeTopUpAddresses, type Watched } from '../data/top-up-addresses.ts'

export type ScanFigures = {
  /** Blocks a second that the node alone gives, when nobody does anything with them. */
  readonly nodePerSecond: number
  /** Blocks a second that are scanned. */
  readonly perSecond: number
  /** What this process spends on one block, in ms. */
  readonly cpuMs: number
  readonly rssMb: number
  /** Deposits that were found, and how many there are. */
  readonly found: readonly [found: number, expected: number]
}

export type ScanPlan = {
  readonly addresses: number
  readonly blocks: number
  readonly transactions: number
}

/** Scans blocks full of transfers, as fast as the node gives them, among this many addresses. */
export async function measureScan(
  db: pg.Client,
  url: string,
  plan: ScanPlan,
): Promise<ScanFigures> {
  const watched = await makeTopUpAddresses(db, plan.addresses)
  const node = await startNode(plan, watched)
  const stores = postgresStores({ url })
  try {
    const scan = scanOf(node.url, stores, watched)
    const [start, cpuBefore] = [performance.now(), process.cpuUsage()]
    let blocks = 0
    let rssMb = 0
    for (let round = await scan(); blocks < plan.blocks; round = await scan()) {
      blocks += round.blocks
      rssMb = Math.max(rssMb, process.memoryUsage().rss / 2 ** 20)
    }
    const { user, system } = process.cpuUsage(cpuBefore)
    const { rows } = await db.query<{ count: string }>('select count(*) from quipu.deposit')
    const perSecond = (blocks * 1_000) / (performance.now() - start)
    return {
      nodePerSecond: await readOnly(node.url, Math.min(blocks, 500)),
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

function scanOf(url: string, stores: ReturnType<typeof postgresStores>, watched: Watched): Scan {
  const node = tronNode({ url, requestsPerSecond: 1_000_000, timer: systemTimer })
  const reader = tronChainReader({ node, tokenContract: tronAddressFormat.format(token) })
  const ours = { source: tronAddresses(watched.xpub), format: tronAddressFormat }
  const system = { encodeEvent, ids: systemIds, now: systemClock, raiseAlert: () => undefined }
  const ports = { ...stores, reader, ...ours, addressMacKey: watched.addressMacKey, ...system }
  return scanSolid(ports, { ...defaultScanSettings, firstBlock: 1, blocksPerPoll: 500 })
}

/** Asks for blocks as the reader does, so many at a time, and throws them away. */
async function readOnly(url: string, blocks: number): Promise<number> {
  let next = 1
  const ask = async (endpoint: string, num: number): Promise<void> => {
    const body = JSON.stringify({ num })
    const reply = await fetch(`${url}/walletsolidity/${endpoint}`, { method: 'POST', body })
    await reply.arrayBuffer()
  }
  const reading = async (): Promise<void> => {
    for (let number = next++; number <= blocks; number = next++) {
      await ask('getblockbynum', number)
      await ask('gettransactioninfobyblocknum', number)
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: defaultScanSettings.readAhead }, reading))
  return (blocks * 1_000) / (performance.now() - start)
}

async function startNode({ transactions, blocks }: ScanPlan, { account }: Watched) {
  const child = await startChild<number>('block-node', [String(transactions), account])
  await child.ask(String(blocks))
  return { url: `http://127.0.0.1:${child.ready}`, stop: () => child.stop() }
}
