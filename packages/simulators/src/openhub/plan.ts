import type { Hub } from './hub.ts'
import type { Plan, Reply } from './switches/replies.ts'
import { scenarioPlans } from './switches/scenario-plans.ts'
import type { Operation } from './switches/switches.ts'

/** The plan of a QR: the one that it was issued with, or that of its scenario. */
export function planOf({ plans, codec }: Hub, content: string): Plan {
  const scenario = codec.decode(content)?.scenario
  return plans.get(content) ?? (scenario ? scenarioPlans[scenario] : {})
}

/** The reply to a call: that of the next call, or else that of the QR. */
export function replyTo(hub: Hub, operation: Operation, content?: string): Reply {
  const next = hub.switches.takeReply(operation)
  if (next) return next.reply
  if (content === undefined || (operation !== 'scan' && operation !== 'status')) return 'normal'
  return planOf(hub, content)[operation] ?? 'normal'
}
