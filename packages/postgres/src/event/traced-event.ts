import type { NewEvent } from '@quipu/core/adapter'
import { activeTraceparent } from '@quipu/tracing'

/** An event whose commit is part of a sampled trace, which its deliveries continue. */
export type TracedEvent = NewEvent & { readonly traceparent?: string }

/** The event with the active trace, if there is one. Call it in the caller's context, not in a batch's. */
export function tracedEvent<Event extends NewEvent | null>(event: Event): Event {
  const traceparent = activeTraceparent()
  return event === null || traceparent === undefined ? event : { ...event, traceparent }
}

/** A commit whose event has the active trace. */
export function tracedCommit<Write extends { readonly step: { readonly event: NewEvent | null } }>(
  write: Write,
): Write {
  const event = tracedEvent(write.step.event)
  return event === write.step.event ? write : { ...write, step: { ...write.step, event } }
}
