import { halfOpen, type Heal, type Injection, none, oneOf, several } from './injection.ts'
import { accepts } from '../system/receivers.ts'
import type { System } from '../system/system.ts'

/** Faults of the QR network, the chain, SQS, the receivers, and the tenants' connections. */
export const dependencyFaults = {
  'cut-network': async (context) => {
    await several(context, () => {
      for (const { network } of context.system.programs) network.cut()
    })
    return none
  },
  'half-open-network': (context) => halfOpen(oneOf(context.system.programs, context).network),
  'slow-network': ({ system: { network }, between }) =>
    networkFaults(network, { delay_ms: Math.round(between(500, 3_000)) }, { delay_ms: 0 }),
  'network-down': (context) => {
    const down = oneOf(['refuse', '503'] as const, context)
    return networkFaults(context.system.network, { down }, { down: false })
  },
  'network-lost': ({ system: { network } }) =>
    networkFaults(
      network,
      {
        drop_before_paying: 3,
        drop_answer_after_paying: 4,
        error_after_paying: 3,
        garble_after_paying: 3,
        drop_answer_next: { put: 2, get: 3, cancel: 2 },
      },
      {
        drop_before_paying: 0,
        drop_answer_after_paying: 0,
        error_after_paying: 0,
        garble_after_paying: 0,
        drop_answer_next: {},
      },
    ),
  'callbacks-wrong': (context) => {
    const patch = oneOf([{ drop_callbacks: true }, { forge_callbacks: true, duplicate_callbacks: 3 }], context)
    const healed = { drop_callbacks: false, forge_callbacks: false, duplicate_callbacks: 0 }
    return networkFaults(context.system.network, patch, healed)
  },
  'chain-down': async ({ system: { chain } }) => {
    await chain.setDown(true)
    return () => chain.setDown(false)
  },
  'chain-wrong': ({ system: { chain } }) => {
    chain.addFaults(
      { kind: 'stale', blocks: 4, every: 3 },
      { kind: 'status', status: 503, every: 5 },
      { kind: 'empty', every: 7 },
      { kind: 'busy', every: 11 },
      { kind: 'drop', when: 'after', every: 6 },
    )
    return () => chain.clearFaults()
  },
  'sqs-down': async ({ system: { sqs } }) => {
    await sqs.proxy.down()
    return () => sqs.proxy.up()
  },
  'sqs-wrong': ({ system: { sqs } }) => {
    sqs.proxy.drop(20)
    sqs.proxy.duplicate(20)
    sqs.proxy.loseAnswers(10)
    sqs.proxy.reorder(true)
    return () => sqs.proxy.reorder(false)
  },

  'cut-clients': async (context) => {
    await several(context, () => {
      for (const { inbound } of context.system.apis) inbound?.cut()
    })
    return none
  },
  'slow-clients': (context) => {
    const { inbound } = oneOf(context.system.apis, context)
    inbound?.delay(context.between(100, 800))
    return () => inbound?.delay(0)
  },
  'receivers-down': async ({ system: { tenants } }) => {
    const receivers = tenants.flatMap(({ endpoints }) => endpoints.map(({ receiver }) => receiver))
    const accepting = receivers.filter(({ kind }) => accepts(kind))
    await Promise.all(accepting.map((receiver) => receiver.shut()))
    return () => Promise.all(accepting.map((receiver) => receiver.open()))
  },
} satisfies Readonly<Record<string, Injection>>

type Network = System['network']
type Patch = Parameters<Network['setFaults']>[0]

async function networkFaults(network: Network, faults: Patch, healed: Patch): Promise<Heal> {
  await network.setFaults(faults)
  return () => network.setFaults(healed)
}
