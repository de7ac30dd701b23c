import type { SpanFacts } from '@quipu/tracing'

const kinds = { send: 'producer', receive: 'client' } as const

/** The span of one request to a queue, by the conventions for messaging. The queue's name is of few values. */
export function queueSpan(operation: 'send' | 'receive', queueUrl: string, size = 1): SpanFacts {
  const { pathname, hostname } = new URL(queueUrl)
  const queue = pathname.slice(pathname.lastIndexOf('/') + 1)
  return {
    scope: '@quipu/sqs',
    name: `${operation} ${queue}`,
    kind: kinds[operation],
    attributes: {
      'messaging.system': 'aws_sqs',
      'messaging.operation.name': operation,
      'messaging.operation.type': operation,
      'messaging.destination.name': queue,
      'server.address': hostname,
      // A batch of one message is none, by the conventions of OpenTelemetry.
      ...(size > 1 && { 'messaging.batch.message_count': size }),
    },
  }
}
