import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Unavailable } from '@quipu/core'
import {
  type Allowance,
  bearerToken,
  checkReadiness,
  framingIssue,
  haltedLoops,
  type Logger,
  type Metrics,
  type NamedLoop,
  type ReadinessPorts,
  type TokenLookup,
} from '@quipu/runtime'
import { readinessToJson } from '@quipu/wire'

export type WorkerAppPorts = {
  readonly readiness: ReadinessPorts
  /** Undefined until the loops have started. */
  readonly loops: () => readonly NamedLoop[] | undefined
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>
  readonly findOperator: TokenLookup
  /** Records a failed login from this address, and says whether another one is allowed. */
  readonly countFailure: (source: string) => Allowance
  readonly log: Pick<Logger, 'error'>
}

type Answer = { readonly status: number; readonly body: string; readonly headers?: Readonly<Record<string, string>> }

const json = (status: number, body: object, headers: Answer['headers'] = {}): Answer => ({
  status,
  body: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
})

/** Probes without a token, and metrics with the token of any operator, as the API has them. */
export function workerApp(ports: WorkerAppPorts): RequestListener {
  const routes: Readonly<Record<string, (req: IncomingMessage) => Promise<Answer>>> = {
    '/healthz': async () => json(200, { status: 'ok' }),
    '/readyz': () => readiness(ports),
    '/metrics': (req) => metrics(ports, req),
  }
  return (req, res) => {
    void answerOf(routes, req)
      .catch((error: unknown) => {
        if (error instanceof Unavailable) return json(503, unavailable)
        ports.log.error({ err: error }, 'unexpected error in a request; report it as a bug')
        return json(500, { status: 'failed' })
      })
      .then((answer) => send(res, answer))
  }
}

const unavailable = { status: 'the database does not answer; send the request again' }

async function answerOf(
  routes: Readonly<Record<string, (req: IncomingMessage) => Promise<Answer>>>,
  req: IncomingMessage,
): Promise<Answer> {
  req.resume() // No route reads a body.
  const issue = framingIssue(req)
  if (issue) return json(400, { status: `${issue.field} ${issue.message}` }, { Connection: 'close' })
  const path = req.url?.split('?')[0] ?? ''
  const route = Object.hasOwn(routes, path) ? routes[path] : undefined
  if (!route) return json(404, { status: `not found; there are ${Object.keys(routes).join(', ')}` })
  if (req.method !== 'GET' && req.method !== 'HEAD')
    return json(405, { status: 'method not allowed' }, { Allow: 'GET, HEAD' })
  return route(req)
}

async function readiness({ readiness: checks, loops }: WorkerAppPorts): Promise<Answer> {
  const started = loops()
  const halted = haltedLoops(started ?? [])
  const running = started !== undefined && halted.length === 0
  const { checks: found, payments } = await checkReadiness(checks)
  const answer = readinessToJson({ ...found, loops: running }, payments)
  const shown = halted.length > 0 ? { ...answer, halted_loops: halted } : answer
  if (answer.status === 'ready') return json(200, shown)
  return json(503, shown, { 'Retry-After': '1' })
}

async function metrics(
  { metrics: { text, contentType }, findOperator, countFailure }: WorkerAppPorts,
  req: IncomingMessage,
): Promise<Answer> {
  const token = bearerToken(req.headers.authorization)
  const operator = token === undefined ? undefined : await findOperator(token, { isMetrics: true })
  if (!operator) return failedLogin(countFailure(sourceOf(req)))
  return { status: 200, body: await text(), headers: { 'Content-Type': contentType } }
}

const failedLogin = ({ isAllowed, retryAfterSeconds }: Allowance): Answer =>
  isAllowed
    ? json(401, { status: 'send the token of an operator' }, { 'WWW-Authenticate': 'Bearer' })
    : json(429, { status: 'too many failed logins' }, { 'Retry-After': String(retryAfterSeconds) })

/** No proxy is trusted here. An IPv4 address is the same on a socket of IPv6. */
const sourceOf = ({ socket }: IncomingMessage): string => (socket.remoteAddress ?? '').replace(/^::ffff:/, '')

function send(res: ServerResponse, { status, body, headers }: Answer): void {
  res.writeHead(status, { 'Cache-Control': 'no-store', ...headers })
  res.end(body)
}
