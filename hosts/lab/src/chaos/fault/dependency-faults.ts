import { halfOpen, type Injection, none, oneOf, several } from './injection.ts'
import { statements } from '../statements.ts'
import { accepts } from '../system/receivers.ts'

/** Faults of the QR network, the chain, SQS, the receivers, and the tenants' connections. */
export const dependencyFaults = {
  'cut-network': async (context) => {
    await several(context, () => {
      for (const { network } of context.system.programs) network.cut()
    })
    return none
  },
  'half-open-network': (context) => halfOpen(oneOf(context.system.programs, context).network),
  'slow-network': ({ system: { network }, between }) => network.slow(Math.round(between(500, 3_000))),
  'network-down': (context) => context.system.network.down(oneOf(['refuse', '503'] as const, context)),
  'network-lost': ({ system: { network } }) => network.lose(),
  'callbacks-wrong': async (context) => {
    const { network } = context.system
    if (network.kind !== 'http') throw new Error('the network has no callbacks')
    const { simulator } = network
    await simulator.setFaults(
      oneOf([{ drop_callbacks: true }, { forge_callbacks: true, duplicate_callbacks: 3 }], context),
    )
    return () => simulator.setFaults({ drop_callbacks: false, forge_callbacks: false, duplicate_callbacks: 0 })
  },
  'orders-open': ({ system: { network } }) => {
    if (network.kind !== 'openhub') throw new Error('the network answers each order with its outcome')
    return network.leaveOpen()
  },
  'tokens-end': async (context) => {
    const { network } = context.system
    if (network.kind !== 'openhub') throw new Error('the network has no tokens that end')
    await several(context, () => network.simulator.endTokens())
    return none
  },
  'payments-return': async (context) => {
    const { network, database } = context.system
    if (network.kind !== 'openhub') throw new Error('the network returns no payment')
    const completed = await database.query<{ id: string }>(statements.newestCompleted, [20])
    await several(context, () => {
      if (completed.length > 0) network.giveBack(oneOf(completed, context).id)
    })
    return none
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
