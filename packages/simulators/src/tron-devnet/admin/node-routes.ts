import { z } from 'zod'
import type { Call, Route } from '../../json-server.ts'
import type { BuildRoute } from './chain-routes.ts'
import { refusalCodes } from '../chain/admission.ts'
import type { Fault } from '../node/faults.ts'
import type { Nodes } from '../node/nodes.ts'

const flag = z.boolean().optional()
const count = z.int().min(0).optional()
const selectors = {
  on: z.string().optional(),
  where: z.record(z.string(), z.unknown()).optional(),
  after: count,
  every: z.int().min(1).optional(),
  times: count,
}
const when = z.enum(['before', 'after'])
const FaultBody: z.ZodType<Fault> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('delay'), ms: z.int().min(0), ...selectors }),
  z.strictObject({ kind: z.literal('status'), status: z.int().min(200).max(599), ...selectors }),
  z.strictObject({ kind: z.literal('busy'), ...selectors }),
  z.strictObject({ kind: z.literal('empty'), ...selectors }),
  z.strictObject({ kind: z.literal('text'), text: z.string(), ...selectors }),
  z.strictObject({ kind: z.literal('refuse'), code: z.enum(refusalCodes), ...selectors }),
  z.strictObject({ kind: z.literal('drop'), when, ...selectors }),
  z.strictObject({ kind: z.literal('hang'), when, ...selectors }),
  z.strictObject({ kind: z.literal('stale'), blocks: z.int().min(0), ...selectors }),
  z.strictObject({
    kind: z.literal('large'),
    bytes: z
      .int()
      .min(0)
      .max(2 ** 27),
    msPerMiB: count,
    ...selectors,
  }),
  z.strictObject({ kind: z.literal('alter'), at: z.string(), to: z.unknown(), ...selectors }),
])
const FaultsBody = z.strictObject({ node: count, faults: z.array(FaultBody) })
const NodesBody = z
  .strictObject({
    lag: count,
    port: count,
    serves: z.enum(['wallet', 'walletsolidity']).optional(),
    trxCache: flag,
    qps: z.number().positive().optional(),
    connectionsMax: z.int().min(1).optional(),
  })
  .default({})
const NodeBody = z.strictObject({ node: count, lag: count, frozen: flag, down: flag })
const ReleaseBody = z.strictObject({ node: count }).default({})

export function nodeRoutes(nodes: Nodes, route: (method: Route['method']) => BuildRoute): Route[] {
  const [get, post, remove] = [route('GET'), route('POST'), route('DELETE')]
  const nodeOf = ({ query }: Call) => nodes.get(Number(query.get('node') ?? 0))
  return [
    post('nodes', async ({ body }) => {
      const node = await nodes.add(NodesBody.parse(body))
      return { node, url: nodes.get(node).url }
    }),
    post('node', async ({ body }) => {
      const { node: number = 0, lag, frozen, down } = NodeBody.parse(body)
      const node = nodes.get(number)
      if (lag !== undefined) node.setLag(lag)
      if (frozen !== undefined) (frozen ? node.freeze : node.follow)()
      if (down !== undefined) await node.setDown(down)
    }),
    post('faults', ({ body }) => {
      const { node = 0, faults } = FaultsBody.parse(body)
      nodes.get(node).faults.add(...faults)
      return { faults: nodes.get(node).faults.current() }
    }),
    remove('faults', (call) => nodeOf(call).faults.clear()),
    get('hanging', (call) => ({ paths: nodeOf(call).faults.hanging() })),
    post('release', ({ body }) => ({ released: nodes.get(ReleaseBody.parse(body).node ?? 0).faults.release() })),
    get('requests', (call) => ({ requests: nodeOf(call).requests(call.query.get('endpoint') ?? undefined) })),
  ]
}
