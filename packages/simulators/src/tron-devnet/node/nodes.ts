import { Refusal } from '../../json-server.ts'
import type { Devnet } from '../devnet.ts'
import { startNode, type Node, type NodeOptions } from './node.ts'

/** Nodes by number; 0 is the first. */
export type Nodes = {
  add(options?: NodeOptions): Promise<number>
  /** @throws Refusal 404 if the node does not exist */
  get(number: number): Node
  all(): readonly Node[]
  stop(): Promise<void>
}

export function createNodes(devnet: Devnet, host: string | undefined): Nodes {
  const nodes: Node[] = []
  return {
    async add(options = {}) {
      return nodes.push(await startNode(devnet, { host, ...options })) - 1
    },
    get(number) {
      const node = nodes[number]
      if (!node) throw new Refusal(404, 'NO_NODE', `There is no node ${number}.`)
      return node
    },
    all: () => nodes,
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()))
    },
  }
}
