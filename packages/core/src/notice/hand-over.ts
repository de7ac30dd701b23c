import type { RandomBytes } from '../ids.ts'
import { retryDelayMs, type RetryPolicy } from '../webhook/retry-policy.ts'
import { attemptTimeoutSeconds } from '../webhook/sender.ts'
import type { NoticeResult } from './ports.ts'

/** A message for a gateway, under a claim. */
export type ClaimedMessage<Message> = {
  readonly message: Message
  /** Failed attempts at it since the last accepted one. */
  readonly failedAttempts: number
  /** Ends its work; `stale` when a newer claim exists, or an attempt was recorded. */
  accept(): Promise<'committed' | 'stale'>
  /** Makes it due again after `inMs`; `stale` as for `accept`. */
  retry(inMs: number): Promise<'committed' | 'stale'>
}

/** The ports of `handOver`. */
export type HandOverPorts<Message> = {
  /** Claims the next message; undefined when none is due. */
  readonly claim: () => Promise<ClaimedMessage<Message> | undefined>
  /** Never throws. */
  readonly send: (message: Message) => Promise<NoticeResult>
  /** Called for a message that the gateway can never send. */
  readonly refused: (message: Message, detail: string) => void
  readonly random: RandomBytes
}

/** The outcome of one attempt to hand a message over. */
export type HandOverResult<Message> =
  /** No message was due. */
  | { readonly type: 'idle' }
  | { readonly type: 'accepted' | 'refused'; readonly message: Message }
  | { readonly type: 'failed'; readonly message: Message; readonly detail: string; readonly inMs: number }
  /** The lease ended during the attempt: the message is sent again, with the same id. */
  | { readonly type: 'stale'; readonly message: Message }

/** The pauses between attempts at one message of a gateway, which have no end. */
export const noticeRetryPolicy: RetryPolicy = { attempts: Infinity, firstDelaySeconds: 30, maxDelaySeconds: 300 }

/** The lease of a message: the time of an attempt, and the rest for the write that follows it. */
export const handOverLeaseSeconds: number = attemptTimeoutSeconds + 20

/**
 * Hands the next message over to a gateway of the operator's, at least once: it is repeated until it is accepted, or
 * the gateway says that it can never send it.
 */
export function handOver<Message>(ports: HandOverPorts<Message>): () => Promise<HandOverResult<Message>> {
  const { claim, send, refused, random } = ports
  return async () => {
    const claimed = await claim()
    if (!claimed) return { type: 'idle' }
    const { message, failedAttempts } = claimed
    const result = await send(message)
    if (result.type === 'failed') {
      const [jitter = 0] = random(1)
      const inMs = retryDelayMs(noticeRetryPolicy, failedAttempts + 1, jitter / 256)
      const recorded = await claimed.retry(inMs)
      return recorded === 'stale'
        ? { type: 'stale', message }
        : { type: 'failed', message, detail: result.detail, inMs }
    }
    if (result.type === 'refused') refused(message, result.detail)
    const recorded = await claimed.accept()
    return { type: recorded === 'stale' ? 'stale' : result.type, message }
  }
}
