import { signWebhook } from '@quipu/core'
import { encodeEvent } from '@quipu/wire'
import { Agent, request } from 'undici'
import { type CpuSource, ownCpu, perUnit, startUsage } from '../report/cpu.ts'
import { warmPerSecond } from '../report/statistics.ts'
import { completedPayout } from '../data/payouts.ts'

export type BareRequestResult = {
  readonly perSecond: number
  /** CPU time of one request in µs. */
  readonly cpuUs: Readonly<Record<'sender' | 'receiver', number>>
}

/** Signs and sends requests with `inFlight` of them in flight: the upper bound of a worker's deliveries. */
export async function postBare(
  targets: readonly string[],
  count: number,
  inFlight: number,
  receiver: CpuSource,
): Promise<BareRequestResult> {
  const agent = new Agent({ connections: Math.ceil(inFlight / targets.length), pipelining: 1 })
  const event = completedPayout('bare')
  const body = encodeEvent(event)
  const respondedAt: number[] = []
  const cold = Math.floor(count / 2)
  const measure = () => startUsage({ sender: ownCpu, receiver })
  let endUsage = measure()
  let next = 0
  const sending = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) {
      const headers = {
        'content-type': 'application/json',
        'x-service-event-id': `bare-${n}`,
        'x-service-signature': signWebhook(['whsec_bare'], body, new Date()),
      }
      const url = targets[n % targets.length] ?? ''
      const reply = await request(url, { method: 'POST', headers, body, dispatcher: agent })
      await reply.body.dump()
      respondedAt.push(performance.now())
      if (respondedAt.length === cold) endUsage = measure()
    }
  }
  await Promise.all(Array.from({ length: inFlight }, sending))
  const usage = endUsage()
  await agent.close()
  return { perSecond: warmPerSecond(respondedAt), cpuUs: perUnit(usage, count - cold) }
}
