import type { NetworkKind } from '../../run/network-kind.ts'
import type { Broadcaster, ChainReader, QrNetwork, Stores, WebhookSender } from '@quipu/core'

/** The layer between a process and its ports: nothing, or a bug that shows that the simulation finds it. */
export type Plants = {
  /** Whether a read waits until what it has read is durable. */
  readonly confirmsReads: boolean
  /** Whether a call waits for a standby on a primary that was replaced. */
  readonly confirmsReplaced: boolean
  stores(stores: Stores): Stores
  network(network: QrNetwork): QrNetwork
  /** The network at which the bug shows. */
  readonly at: NetworkKind
  chain(reader: ChainReader): ChainReader
  broadcaster(broadcaster: Broadcaster): Broadcaster
  sender(sender: WebhookSender): WebhookSender
}

export const noPlants: Plants = {
  confirmsReads: true,
  confirmsReplaced: true,
  stores: (stores) => stores,
  network: (network) => network,
  at: 'http',
  chain: (reader) => reader,
  broadcaster: (broadcaster) => broadcaster,
  sender: (sender) => sender,
}

/** The bug of this name; none without a name. */
export const plantsOf = (name: string | undefined): Plants =>
  (name === undefined ? undefined : planted[name]) ?? noPlants

/** Bugs of a process, by what it does wrong. */
export const planted: Readonly<Record<string, Plants>> = {
  'answers from rows that the database can lose': { ...noPlants, confirmsReads: false },
  'reports what only a replaced primary has': { ...noPlants, confirmsReplaced: false },
  'releases a hold without the network’s cancel': {
    ...noPlants,
    network: (network) => ({ ...network, cancel: async () => ({ type: 'cancelled' }) }),
  },
  'takes an answer that is late for a refusal': {
    ...noPlants,
    network: (network) => ({
      ...network,
      status: async (reference, networkRef) => {
        const answer = await network.status(reference, networkRef)
        return answer.type === 'pending' ? { type: 'refused_payment' } : answer
      },
    }),
  },
  'orders a payment again when its answer is lost': {
    ...noPlants,
    network: (network) => ({
      ...network,
      pay: async (order) => {
        const answer = await network.pay(order)
        return answer.type === 'unknown' ? network.pay(order) : answer
      },
    }),
  },
  'orders a payment again when a network without cancel does not answer': {
    ...noPlants,
    at: 'openhub',
    network: (network) => ({
      ...network,
      pay: async (order) => {
        const answer = await network.pay(order)
        return answer.type === 'unknown' ? network.pay(order) : answer
      },
    }),
  },
  'takes an order that the network has not seen for unpaid': {
    ...noPlants,
    at: 'openhub',
    network: (network) => ({
      ...network,
      status: async (reference, networkRef) => {
        const answer = await network.status(reference, networkRef)
        return answer.type === 'not_seen' ? { type: 'refused_payment' } : answer
      },
    }),
  },
  'orders before its mark is written': {
    ...noPlants,
    at: 'openhub',
    stores: ({ payouts, ...stores }) => ({
      ...stores,
      payouts: { ...payouts, markOrdered: (claim, leaseSeconds) => payouts.renew(claim, leaseSeconds) },
    }),
  },
  'moves the cursor before its deposits': {
    ...noPlants,
    stores: ({ scans, ...stores }) => ({
      ...stores,
      scans: {
        ...scans,
        // As after a crash between the two commits.
        advance: (claim, write) => scans.advance(claim, { ...write, observedTransfers: [] }),
      },
    }),
  },
  'credits from the head': {
    ...noPlants,
    chain: (reader) => ({
      ...reader,
      head: () => reader.head('head'),
      block: (_, number) => reader.block('head', number),
      ref: (_, number) => reader.ref('head', number),
    }),
  },
  'ends a transfer before solid blocks are past its expiry': {
    ...noPlants,
    broadcaster: (broadcaster) => ({
      ...broadcaster,
      outcome: async (txHash) => {
        const outcome = await broadcaster.outcome(txHash)
        if (outcome.type !== 'absent') return outcome
        const { through } = outcome
        return { ...outcome, through: { ...through, at: new Date(through.at.getTime() + 180_000) } }
      },
    }),
  },
  'makes another proposal when a request is repeated': {
    ...noPlants,
    stores: ({ proposals, ...stores }) => ({
      ...stores,
      proposals: { ...proposals, insert: (proposal, tokenHash) => proposals.insert(proposal, tokenHash) },
    }),
  },
  'takes silence of a receiver for an acknowledgement': {
    ...noPlants,
    sender: (sender) => ({
      send: async (request) => {
        const result = await sender.send(request)
        return result.error === 'TIMEOUT' ? { ...result, error: null, statusCode: 200 } : result
      },
    }),
  },
}
