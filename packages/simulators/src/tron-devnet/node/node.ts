import { everyone } from '../../access.ts'
import { startJsonServer, type Answer, type Call, type Route } from '../../json-server.ts'
import { accountEndpoints } from './account-endpoints.ts'
import { answerTo } from './answer.ts'
import { blockEndpoints } from './block-endpoints.ts'
import { broadcastEndpoints } from './broadcast-endpoints.ts'
import { contractEndpoints } from './contract-endpoints.ts'
import type { Devnet } from '../devnet.ts'
import type { Endpoint, NodeContext } from './endpoint.ts'
import { createFaultBox, type FaultBox } from './faults.ts'
import { viewAt, type View } from '../chain/view.ts'

/** A received request. */
export type SeenRequest = {
  /** Such as `wallet/getblockbynum`. */
  readonly path: string
  readonly body: unknown
  /** By the devnet's clock. */
  readonly at: string
}

/** A node of the chain, with its own port and faults. */
export type Node = {
  readonly url: string
  readonly faults: FaultBox
  /** Refuses or accepts connections. */
  setDown(down: boolean): Promise<void>
  /** The newest requests, oldest first; optionally of one endpoint. */
  requests(endpoint?: string): SeenRequest[]
  stop(): Promise<void>
}

/** A further node of the same chain. */
export type NodeOptions = {
  readonly host?: string | undefined
  /** A free port by default. */
  readonly port?: number | undefined
  /** Number of blocks it lags behind; 0 by default. */
  readonly lag?: number | undefined
  /** The prefix that its port serves; both by default. A real node has a port for each of them. */
  readonly serves?: 'wallet' | 'walletsolidity' | undefined
  /** `node.rpc.trxCacheEnable`: remembers the ids of broadcasts before it checks them. False by default. */
  readonly trxCache?: boolean | undefined
  /** A limiter that delays requests, in requests a second. None by default. */
  readonly qps?: number | undefined
  /** `node.maxHttpConnectNumber`, of which a real node takes 50: later connections wait. No limit by default. */
  readonly connectionsMax?: number | undefined
}

const requestsMax = 10_000

export async function startNode(devnet: Devnet, options: NodeOptions): Promise<Node> {
  const { host = '127.0.0.1', port = 0, lag = 0, connectionsMax } = options
  const faults = createFaultBox(devnet.timers)
  const seen: SeenRequest[] = []
  const delay = delayOf(devnet, options.qps ?? Infinity)
  const answer: AnswerRequest = async (path, body, act) => {
    devnet.tick()
    if (seen.length >= requestsMax) seen.shift()
    seen.push({ path, body, at: new Date(devnet.timers.now()).toISOString() })
    await delay()
    return answerTo(devnet, faults, path, body, act)
  }
  const { serves } = options
  const routes = routesOf(devnet, lag, answer, options.trxCache ?? false).filter(
    ({ path }) => serves === undefined || path.startsWith(`/${serves}/`),
  )
  const server = await startJsonServer({
    host,
    port,
    access: everyone,
    routes,
    connectionsMax,
    missing: (path) => (path.startsWith('/wallet') ? unsupported : undefined),
  })
  return {
    url: server.url,
    faults,
    setDown: (down) => (down ? server.pause() : server.resume()),
    requests: (endpoint) => seen.filter(({ path }) => endpoint === undefined || `/${path}`.endsWith(`/${endpoint}`)),
    async stop() {
      await server.pause()
      faults.clear()
    },
  }
}

/** A real node's answer to a path that it does not serve. */
const unsupported: Answer = {
  status: 405,
  html: '<html><head><title>Error 405 HTTP method POST is not supported by this URL</title></head></html>\n',
}

const reads = { ...blockEndpoints, ...accountEndpoints, ...contractEndpoints }

type AnswerRequest = (path: string, body: unknown, act: (behind: number) => unknown) => Promise<Answer>

function routesOf(devnet: Devnet, lag: number, answer: AnswerRequest, trxCache: boolean): Route[] {
  const broadcasts = new Set<string>()
  const context: NodeContext = {
    chain: devnet.chain,
    now: devnet.timers.now,
    isRepeated(txid) {
      const isKnown = trxCache && broadcasts.has(txid)
      broadcasts.add(txid)
      return isKnown
    },
    accept: ({ hex, signatures, script }) => devnet.record({ type: 'accepted', hex, signatures, script }),
  }
  const wallet = (solid: boolean, [name, endpoint]: [string, Endpoint]): Route[] => {
    const path = `${solid ? 'walletsolidity' : 'wallet'}/${name}`
    const handle = ({ query, body = Object.fromEntries(query) }: Call) =>
      answer(path, body, (behind) => endpoint(context, { view: viewFrom(devnet, lag + behind, solid), body }))
    return (['GET', 'POST'] as const).map((method) => ({ method, path: `/${path}`, handle }))
  }
  return [
    ...Object.entries({ ...reads, ...broadcastEndpoints }).flatMap((one) => wallet(false, one)),
    ...Object.entries(reads).flatMap((one) => wallet(true, one)),
  ]
}

/** Lets requests pass one after the other at this rate. A request that was given up keeps its turn. */
function delayOf({ timers }: Devnet, qps: number): () => Promise<void> {
  let nextAt = -Infinity
  return () => {
    const at = Math.max(timers.now(), nextAt)
    nextAt = at + 1_000 / qps
    return timers.wait(at - timers.now())
  }
}

const viewFrom = ({ chain }: Devnet, behind: number, solid: boolean): View =>
  viewAt(chain.data, Math.max(0, (solid ? chain.solid() : chain.head().number) - behind))
