import { randomUUID } from 'node:crypto'
import { type Screening, type ScreeningAnswer, Unavailable } from '@quipu/core'
import { jsonClient, type Reply } from '@quipu/http-json'

/** The URL and the credential of a provider. */
export type HttpScreeningOptions = {
  /** The whole URL of the provider. */
  readonly url: string
  /** Sent as `Authorization: Bearer`. */
  readonly token?: string
  /** From the request to the last byte of the answer. */
  readonly timeoutMs: number
}

/** `stop` resolves when the running requests have ended. */
export type HttpScreening = Screening & { stop(): Promise<void> }

const answerBytesMax = 64 * 1024

/**
 * Screens at a provider: `POST` of `{request_id, kind, texts}`, answered by `200` with `{request_id, outcome, list,
 * version, reason}`. Any other answer is none, also one that repeats another `request_id`.
 */
export function httpScreening({ url, token, timeoutMs }: HttpScreeningOptions): HttpScreening {
  const { host } = new URL(url)
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const client = jsonClient({ url, scope: '@quipu/screening', headers, answerBytesMax, connectionsMax: 32 })
  return {
    name: host,
    isLocal: false,
    screen: async ({ kind, texts }) => {
      const requestId = randomUUID()
      const body = { request_id: requestId, kind, texts }
      const reply = await client.send({ method: 'POST', path: '', body, timeoutMs, isRead: true })
      return answerOf(reply, requestId)
    },
    stop: () => client.stop(),
  }
}

function answerOf(reply: Reply, requestId: string): ScreeningAnswer {
  if (reply.type !== 'answered') throw none(reply.reason)
  if (reply.status !== 200) throw none(`status ${reply.status}`)
  const body =
    typeof reply.body === 'object' && reply.body !== null ? (reply.body as Readonly<Record<string, unknown>>) : {}
  if (body['request_id'] !== requestId) throw none('the answer is to another request')
  const { outcome } = body
  const [list, version, reason] = [textOf(body['list']), textOf(body['version']), textOf(body['reason'])]
  if (list === undefined || version === undefined) throw none('the answer names no list and version')
  if (outcome === 'clear' && reason === undefined) return { outcome, list, version }
  if (outcome === 'listed' && reason !== undefined) return { outcome, list, version, reason }
  throw none('the answer is neither clear nor listed with a reason')
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' && value.length <= 200 ? value : undefined

const none = (reason: string): Unavailable => new Unavailable('screening', reason)
