import type { QrNetwork } from '@quipu/core'
import { networkAnswerTypes } from '@quipu/core/operator'
import type { Metrics } from './metrics.ts'
import { type TimeCall, timedCalls } from './timed-calls.ts'

const payments = networkAnswerTypes.filter((type) => type !== 'not_seen')
type Operation = Exclude<keyof QrNetwork, 'identity' | 'capabilities'>
const results: Readonly<Record<Operation, readonly string[]>> = {
  readQr: ['read', 'refused_qr', 'unavailable'],
  pay: payments,
  status: networkAnswerTypes,
  cancel: payments,
  liquidity: ['ok', 'unavailable'],
  statement: ['ok', 'unavailable'],
}

const operations: Readonly<Record<Operation, string>> = {
  readQr: 'read_qr',
  pay: 'pay',
  status: 'status',
  cancel: 'cancel',
  liquidity: 'liquidity',
  statement: 'statement',
}

type Callable = Pick<QrNetwork, 'identity' | 'capabilities' | 'readQr' | 'pay' | 'status' | 'cancel'> &
  Partial<QrNetwork>

/**
 * Records each call to the QR network by its operation and its answer. `unknown` is a call without a valid answer.
 *
 * @param name  the label `network`: which adapter it is
 */
export function measuredNetwork<Network extends Callable>(metrics: Metrics, name: string, network: Network): Network {
  const known = Object.entries(results).flatMap(([method, all]) =>
    all.map((result) => ({ network: name, operation: operations[method as Operation], result })),
  )
  const timed = timedCalls(metrics, {
    name: 'quipu_network_call_duration_seconds',
    help: 'Duration of calls to the QR network, by network, operation and result.',
    labels: ['network', 'operation'],
    known,
  })
  const time: TimeCall<'operation'> = ({ operation }, ...call) => timed({ network: name, operation }, ...call)
  const typeOf = ({ type }: { readonly type: string }): string => type
  const { cancel, liquidity, statement } = network
  const measured: Callable = {
    identity: network.identity,
    capabilities: network.capabilities,
    readQr: (content, signal) => time({ operation: 'read_qr' }, () => network.readQr(content, signal), typeOf),
    pay: (order) => time({ operation: 'pay' }, () => network.pay(order), typeOf),
    status: (reference, networkRef) =>
      time({ operation: 'status' }, () => network.status(reference, networkRef), typeOf),
    ...(cancel && {
      cancel: (reference, networkRef) => time({ operation: 'cancel' }, () => cancel(reference, networkRef), typeOf),
    }),
    ...(liquidity && { liquidity: () => time({ operation: 'liquidity' }, () => liquidity()) }),
    ...(statement && { statement: timedStatement(time, statement) }),
  }
  return { ...network, ...measured }
}

/** The reader writes between two rows: only the first answer is timed. */
const timedStatement = (time: TimeCall<'operation'>, statement: QrNetwork['statement']): QrNetwork['statement'] =>
  async function* timed(from, to) {
    const rows = statement(from, to)[Symbol.asyncIterator]()
    let next = await time({ operation: 'statement' }, () => rows.next())
    try {
      for (; next.done !== true; next = await rows.next()) yield next.value
    } finally {
      if (next.done !== true) await rows.return?.()
    }
  }
