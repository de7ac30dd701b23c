import { inChildSpan, inWorkSpan } from '@quipu/tracing'

/** One unit of work of a worker, in a span that continues the trace that was stored with its item. */
export const resume = (
  item: { readonly id: string; readonly traceparent?: string },
  work: (id: string) => Promise<void>,
): Promise<void> =>
  inWorkSpan({ scope: 'my-worker', name: 'resume item', kind: 'consumer' }, item.traceparent, () =>
    inChildSpan({ scope: 'my-worker', name: 'step', kind: 'internal' }, () => work(item.id)),
  )
