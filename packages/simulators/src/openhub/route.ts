import { Refusal, type Answer, type Call, type Route } from '../json-server.ts'
import { jsonOf, type Members } from './formats.ts'
import type { Hub } from './hub.ts'
import type { Reply } from './switches/replies.ts'
import { gatewayText, type Operation } from './switches/switches.ts'
import { wrongMembers } from './wrong-members.ts'

/** A code of the envelope other than 00, thrown by an operation. */
export class CodeRefusal extends Error {
  override readonly name = 'CodeRefusal'
  readonly code: string
  readonly status: number
  constructor(code: string, message: string, status = 200) {
    super(message)
    this.code = code
    this.status = status
  }
}

/** The result of an operation: the members of one object or of a list, and the reply in their place if one is planned. */
export type Result = { readonly data: Members | readonly Members[]; readonly reply?: Reply | undefined }

type Operate = (hub: Hub, call: Call) => Promise<Result> | Result

/** The product of an operation, each with an envelope of its own. */
type Family = 'payout' | 'accounts'

type Definition = {
  readonly operation: Operation
  readonly method: Route['method']
  readonly path: string
  readonly family: Family
  /** The reference by which the request log counts a call. */
  referenceOf?(call: Call): string | undefined
  readonly operate: Operate
}

/** Adds clock, request log, access, faults and envelope to an operation. */
export function route(hub: Hub, { operation, method, path, family, referenceOf, operate }: Definition): Route {
  const answerOf = async (call: Call): Promise<Answer> => {
    try {
      const { data, reply = 'normal' } = await operate(hub, call)
      return replied(hub, reply, data, family)
    } catch (error) {
      if (error instanceof CodeRefusal) return refused(error, family)
      if (error instanceof Refusal) return { status: error.status, plain: error.message }
      throw error
    }
  }
  return {
    method,
    path,
    handle: (call) =>
      handled(hub, operation, referenceOf?.(call), async () =>
        hasAccess(hub, call) ? answerOf(call) : gatewayText(401),
      ),
  }
}

/** Answers a request with the clock, the log and the faults of its operation. */
export async function handled(
  { timers, requests, switches, journal }: Hub,
  operation: Operation,
  reference: string | undefined,
  answerOf: () => Promise<Answer>,
): Promise<Answer> {
  timers.tick()
  const answered = requests.arrived(operation, reference)
  const act = async (): Promise<Answer> => {
    const ended = await switches.arrival(operation)
    if (ended) return ended
    const answer = await answerOf()
    await journal.flushed() // An answer implies that its changes are durable.
    return switches.departure(operation, answer)
  }
  const answer = await act()
  answered(answer === 'drop' ? 'dropped' : answer.status)
  return answer
}

const hasAccess = ({ tokens, options }: Hub, { headers }: Call): boolean =>
  tokens.isValid(header(headers['access_token'])) && headers['client_id'] === options.clientId

const header = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined

function replied(hub: Hub, reply: Reply, data: Result['data'], family: Family): Answer {
  if (reply === 'lost') return 'drop'
  if (/^\d{3}$/.test(reply)) return gatewayText(Number(reply))
  if (/^\d\d$/.test(reply) && reply !== '00')
    return refused(
      new CodeRefusal(reply, 'No se pudo procesar la solicitud.', reply === '02' && family === 'payout' ? 400 : 200),
      family,
    )
  const formats = hub.switches.current()
  const jsonOfOne = (members: Members): object => jsonOf(wrongMembers(members, reply), formats)
  const json = Array.isArray(data) ? data.map(jsonOfOne) : jsonOfOne(data as Members)
  const envelope = {
    ...(reply !== 'no_data' && { data: json }),
    code: '00',
    ...(family === 'accounts' && { errorCode: '', errorMessage: '' }),
  }
  const body = JSON.stringify(envelope)
  return { status: 200, text: reply === 'truncated' ? body.slice(0, body.length / 2) : body }
}

function refused({ code, message, status }: CodeRefusal, family: Family): Answer {
  const data = code === '02' ? [message] : null
  return { status, json: { ...(family === 'accounts' && { data }), code, errorMessage: message } }
}
