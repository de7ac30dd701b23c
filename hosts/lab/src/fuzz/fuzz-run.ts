import { Agent, request as httpRequest } from 'node:http'
import fc from 'fast-check'
import { answerFaults, type FuzzedAnswer } from './answer-faults.ts'
import type { FuzzDocument } from './fuzz-operations.ts'
import { requestOf, requestPlans } from './fuzz-plans.ts'
import type { FuzzedRequest } from './fuzzed-request.ts'
import { knownValues } from './known-values.ts'

/** A server, and how its requests authenticate. */
export type FuzzTarget = {
  /** The URL of the server, without the path of an operation. */
  readonly url: string
  readonly document: FuzzDocument
  /** The headers of a request with this credential, a number from 0 to 99. */
  readonly credential: (number: number) => Readonly<Record<string, string>>
  /** JSON whose values requests may name, by the member's name. */
  readonly known?: unknown
  /** Other faults of an answer. */
  readonly check?: (request: FuzzedRequest, answer: FuzzedAnswer, json: unknown) => string[]
}

/** The requests and answers of a run. */
export type FuzzReport = {
  requests: number
  /** Operations that answered below 300. */
  readonly accepted: Set<string>
  /** How often each status was answered. */
  readonly statuses: Map<number, number>
  /** Each names its request, so that a person can send it again. */
  readonly faults: string[]
}

export const fuzzReport = (): FuzzReport => ({ requests: 0, accepted: new Set(), statuses: new Map(), faults: [] })

function count(report: FuzzReport, { operation, isRouted }: FuzzedRequest, { status }: FuzzedAnswer): void {
  report.requests += 1
  report.statuses.set(status, (report.statuses.get(status) ?? 0) + 1)
  if (isRouted && status < 300) report.accepted.add(operation.name)
}

/**
 * Sends requests one after another: the same seed and the same server send the same ones.
 *
 * @param turn  called before each request
 */
export async function fuzz(
  target: FuzzTarget,
  { requests, seed }: { readonly requests: number; readonly seed: number },
  report: FuzzReport,
  turn: (number: number) => Promise<void> = async () => undefined,
): Promise<void> {
  const { document, check } = target
  const known = knownValues()
  known.learn('', target.known)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const plans = fc.sample(plansOf(document), { numRuns: requests, seed })
  for (const [number, plan] of plans.entries()) {
    await turn(number)
    const request = requestOf(plan, known, document)
    const { operation } = request
    const answer = await send(target, request, agent)
    count(report, request, answer)
    // A document holds examples, and no records.
    const isOfRecords = answer.status < 300 && !operation.path.endsWith('/openapi.json')
    const json = isOfRecords ? jsonOf(answer.text) : undefined
    const faults = answerFaults(request, answer, document)
    for (const fault of [...faults, ...(check?.(request, answer, json) ?? [])])
      report.faults.push(`${fault}: ${describe(request, plan.hostility?.name)} → ${textOf(answer)}`)
    if (json !== undefined) known.learn(operation.path, json)
  }
  agent.destroy()
}

const made = new WeakMap<FuzzDocument, ReturnType<typeof requestPlans>>()

function plansOf(document: FuzzDocument): ReturnType<typeof requestPlans> {
  const found = made.get(document) ?? requestPlans(document)
  made.set(document, found)
  return found
}

function send(
  { url, credential }: FuzzTarget,
  { method, target: path, headers, body, credential: number }: FuzzedRequest,
  agent: Agent,
): Promise<FuzzedAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<FuzzedAnswer>()
  const { hostname, port } = new URL(url)
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  const sent = { ...credential(number), ...headers, ...length }
  const request = httpRequest({ hostname, port, method, path, agent, headers: sent }, (answer) => {
    const chunks: Buffer[] = []
    answer.on('data', (chunk: Buffer) => chunks.push(chunk))
    answer.on('error', reject)
    answer.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text })
    })
  })
  request.on('error', reject)
  request.end(body)
  return promise
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const describe = ({ method, target, body }: FuzzedRequest, hostility = ''): string =>
  `${method} ${target.slice(0, 300)} ${String(body ?? '').slice(0, 600)} ${hostility}`

const textOf = ({ status, text }: FuzzedAnswer): string => `${status} ${text.slice(0, 600)}`
