import { programsOnly } from '../access.ts'
import { startJsonServer } from '../json-server.ts'
import { toBase58 } from './account/address.ts'
import { adminRoutes } from './admin/admin-routes.ts'
import type { ChainControls } from './admin/controls.ts'
import { createControls } from './admin/create-controls.ts'
import { openDevnet, usdt, type Devnet, type DevnetOptions } from './devnet.ts'
import type { Fault, FaultBox } from './node/faults.ts'
import { type Node, type NodeOptions, startNode } from './node/node.ts'

/** The chain, and where its nodes and the admin port listen. */
export type TronDevnetOptions = DevnetOptions & {
  /** `127.0.0.1` by default, for every port. */
  readonly host?: string | undefined
  /** A free port by default. */
  readonly port?: number | undefined
  readonly adminPort?: number | undefined
}

/**
 * A running devnet, with all of its controls. `url` is its first node, which serves
 * `wallet/` and `walletsolidity/`.
 */
export type TronDevnet = ChainControls &
  Pick<Node, 'url' | 'setDown' | 'requests'> &
  Pick<FaultBox, 'hanging' | 'untilHanging' | 'release'> & {
    readonly adminUrl: string
    /** The contract of the devnet's USDT, `T…`. */
    readonly tokenContract: string
    /** Adds faults to the first node. */
    addFaults(...faults: readonly Fault[]): void
    /** Clears them and releases the requests that hang. */
    clearFaults(): void
    /** Starts another node of the same chain, with its own faults. */
    addNode(options?: NodeOptions): Promise<Node>
    /** Runs due timers of a stepped clock. */
    tick(): void
    /** Resolves when all changes so far are durable. */
    flushed(): Promise<void>
    /** Closes all connections, also those of requests that hang. */
    stop(): Promise<void>
  }

/** Starts a Tron devnet with one node and its admin port. */
export async function startTronDevnet(options: TronDevnetOptions = {}): Promise<TronDevnet> {
  const devnet = await openDevnet(options)
  try {
    return await listen(devnet, options)
  } catch (error) {
    await devnet.stop()
    throw error
  }
}

async function listen(devnet: Devnet, options: TronDevnetOptions): Promise<TronDevnet> {
  const { host = '127.0.0.1', port = 0, adminPort = 0 } = options
  const controls = createControls(devnet)
  const nodes: Node[] = []
  const addNode = async (more: NodeOptions = {}): Promise<Node> => {
    const added = await startNode(devnet, { host, ...more })
    nodes.push(added)
    return added
  }
  const stopNodes = () => Promise.all(nodes.map((each) => each.stop()))
  const node = await addNode({ port })
  const { faults } = node
  const admin = await startJsonServer({
    host,
    port: adminPort,
    access: programsOnly(host),
    routes: adminRoutes(devnet, controls, faults),
  }).catch(async (error: unknown) => {
    await stopNodes()
    throw error
  })
  return {
    ...controls,
    ...node,
    hanging: faults.hanging,
    untilHanging: faults.untilHanging,
    release: faults.release,
    adminUrl: admin.url,
    tokenContract: toBase58(usdt.contract),
    addFaults: faults.add,
    clearFaults: faults.clear,
    addNode,
    tick: devnet.tick,
    flushed: devnet.journal.flushed,
    async stop() {
      await Promise.all([stopNodes(), admin.pause()])
      await devnet.stop()
    },
  }
}
