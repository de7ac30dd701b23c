import type { WebhookSender } from '@quipu/core'
import type { AttemptError } from '@quipu/core/adapter'
import { callBuckets, type Metrics } from '@quipu/runtime'

/** Every error that a sender answers: the others are found before anything is sent. */
const errors: Readonly<Record<Exclude<AttemptError, 'SECRET_UNREADABLE' | 'ABANDONED'>, true>> = {
  ADDRESS_BLOCKED: true,
  CONNECTION_REFUSED: true,
  CONNECTION_RESET: true,
  NAME_NOT_FOUND: true,
  PROTOCOL: true,
  REDIRECT: true,
  STATUS: true,
  TIMEOUT: true,
  TLS: true,
}

/** Records each attempt to deliver an event, by its result. */
export function measuredSender<Sender extends WebhookSender>(metrics: Metrics, sender: Sender): Sender {
  const record = metrics.histogram({
    name: 'quipu_delivery_attempt_duration_seconds',
    help: 'Duration of attempts to deliver an event, by result: `delivered`, or the error.',
    labels: ['result'],
    buckets: callBuckets,
    known: ['delivered', ...Object.keys(errors)].map((result) => ({ result })),
  })
  const send: WebhookSender['send'] = async (request) => {
    const attempt = await sender.send(request)
    record({ result: attempt.error ?? 'delivered' }, attempt.latencyMs / 1000)
    return attempt
  }
  return { ...sender, send }
}
