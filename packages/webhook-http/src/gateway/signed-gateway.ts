import { type Clock, signWebhook, type WebhookSender } from '@quipu/core'
import type { AttemptResult } from '@quipu/core/adapter'
import type { NoticeResult } from '@quipu/core/operator'

/** A gateway of the operator's, which sends messages on: mails to technical contacts, alerts to the person on duty. */
export type GatewaySettings = {
  /** As in `the mail gateway answered 500`. */
  readonly name: string
  readonly url: string
  /** Signs each request. */
  readonly secret: string
  /** As `WEBHOOK_HEADER_PREFIX`. */
  readonly headerPrefix: string
}

/** Posts messages to one gateway. Neither throws. */
export type SignedGateway = {
  /** @param key  identifies the message: a repetition has the same */
  post(key: string, json: object): Promise<NoticeResult>
  /** Posts once, and returns what the gateway answered. */
  attempt(key: string, json: object): Promise<AttemptResult>
}

/** The gateway can never send the message. */
const unprocessable = 422

/**
 * Posts JSON, signed as webhooks are, with the key as `Idempotency-Key`. Every answer but 2xx and 422 is a failure, so
 * that a gateway that is set up wrongly loses no message.
 */
export function signedGateway(
  sender: WebhookSender,
  { name, url, secret, headerPrefix }: GatewaySettings,
  now: Clock,
): SignedGateway {
  const attempt: SignedGateway['attempt'] = (key, json) => {
    const body = Buffer.from(JSON.stringify(json))
    const signature = signWebhook([secret], body, now())
    const headers = {
      'Content-Type': 'application/json',
      'Idempotency-Key': key,
      [`${headerPrefix}Signature`]: signature,
    }
    return sender.send({ url, headers, body })
  }
  return {
    attempt,
    post: async (key, json) => {
      const { error, statusCode } = await attempt(key, json)
      if (error === null) return { type: 'accepted' }
      const detail = `${name} answered ${statusCode ?? 'nothing'} (${error})`
      return { type: statusCode === unprocessable ? 'refused' : 'failed', detail }
    },
  }
}
