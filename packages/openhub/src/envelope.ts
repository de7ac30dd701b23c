import type { ExactJson, Reply } from '@quipu/http-json'
import { masked, memberOf } from './fields.ts'

/** An answer of OpenHub itself, whatever its HTTP status. */
export type Envelope = {
  readonly type: 'envelope'
  /** Two digits. `00` means that the request was processed, not that anything was paid. */
  readonly code: string
  readonly data: ExactJson | undefined
  /** Code and message for people, without the numbers of accounts. */
  readonly said: string
}

/** The result of a request. */
export type Heard =
  | Envelope
  /** A gateway or an unreadable body answered in OpenHub's place. */
  | { readonly type: 'text'; readonly status: number; readonly said: string }
  | Exclude<Reply, { readonly type: 'answered' }>

/** Business errors come with status 200, 400 or 500: the envelope decides, and the status only without one. */
export function heardIn(reply: Reply): Heard {
  if (reply.type !== 'answered') return reply
  const { status } = reply
  const body = reply.body as ExactJson | undefined
  const code = memberOf(body, 'code')
  if (code === undefined || code.length > 16) return { type: 'text', status, said: `status ${status}, no envelope` }
  const message = memberOf(body, 'errorMessage') ?? memberOf(body, 'message') ?? memberOf(body, 'data.0')
  const said = `code ${shownCode(code)}${message === undefined ? '' : `: ${masked(message)}`}`
  return { type: 'envelope', code: code.padStart(2, '0'), data: dataOf(body), said }
}

const shownCode = (code: string): string => masked(code)

const dataOf = (body: ExactJson | undefined): ExactJson | undefined =>
  typeof body === 'object' && body !== null && 'data' in body
    ? (body as Readonly<Record<string, ExactJson>>)['data']
    : undefined

/** A gateway's refusal of the token or the client. */
export const isTokenRefused = (heard: Heard): boolean =>
  heard.type === 'text' && (heard.status === 401 || heard.status === 403)

/** The reason of what is not an envelope. */
export const silenceOf = (heard: Exclude<Heard, Envelope>): string =>
  heard.type === 'text' ? heard.said : heard.reason
