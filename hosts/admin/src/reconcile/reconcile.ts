import { table } from '@quipu/client/terminal'
import { contradiction } from '@quipu/core/operator'
import { type CallApi, callApi, requireToken } from '../connection/call-api.ts'
import { type CommonOptions, timeoutMs, wholeSeconds } from '../connection/connection-options.ts'
import { connectionOf } from '../connection/connection.ts'
import type { Context } from '../context.ts'
import { dayBefore } from '../day.ts'
import { CommandError, exitCodes, usageError } from '../exit.ts'
import { type Progress, watch } from '../watch.ts'

export type Check = 'network' | 'chain'

export type ReconcileOptions = CommonOptions & {
  readonly from?: string
  readonly to?: string
  readonly run?: string
  readonly wait: boolean
  readonly interval: string
}

/** A run, as the API shows it. */
type Run = {
  readonly id: string
  readonly check: Check
  readonly status: 'running' | 'completed'
  readonly from: string | null
  readonly to: string | null
  readonly reached: string
  readonly compared: number
  readonly differences: number
  readonly failure: string | null
  readonly created_at: string
}

type Difference = Readonly<Record<string, unknown>> & { readonly kind: string; readonly last_seen_at: string }

const runs = '/operator/v1/reconciliation-runs'

/** Requests a run, or takes the one that is named, and prints what it saw. @throws CommandError with differences */
export async function reconcile(check: Check | undefined, options: ReconcileOptions, context: Context): Promise<void> {
  const { terminal, env } = context
  const body = requestOf(check, options)
  const interval = wholeSeconds(options.interval, '--interval')
  const connection = await connectionOf(options, env)
  requireToken(connection)
  if (connection.notice !== undefined) terminal.error(`${connection.notice}\n`)
  const call = callApi(connection, timeoutMs(options.timeout))
  const get = async (path: string): Promise<unknown> =>
    (await call({ method: 'get', path, headers: {}, body: undefined })).json
  const id = options.run ?? (await requested(call, body)).id
  if (!options.wait) return terminal.out(options.json ? `${JSON.stringify({ id })}\n` : `${id}\n`)
  if (options.run === undefined) terminal.error(`Run ${id}. To wait for it later: quipu-admin reconcile --run ${id}\n`)
  const read = async () => (await get(`${runs}/${encodeURIComponent(id)}`)) as Run
  const run = await watch({ read, progressOf, interval, stuck }, context)
  print(run, await differencesOf(run, get), options, context)
}

/** The body of the request. @throws CommandError when the options do not fit together */
function requestOf(check: Check | undefined, { run, from, to }: ReconcileOptions): object {
  if (run !== undefined) {
    if (check !== undefined || from !== undefined || to !== undefined)
      throw usageError('--run takes neither a check nor a period.')
    return {}
  }
  if (check === undefined) throw usageError('Missing: network or chain, or --run.')
  if (check === 'chain' || from !== undefined || to !== undefined) return { check, from, to }
  const day = dayBefore(new Date())
  const end = new Date(Date.parse(day) + 86_400_000).toISOString()
  return { check, from: `${day}T00:00:00.000Z`, to: end }
}

async function requested(call: CallApi, body: object): Promise<Run> {
  const { json } = await call({ method: 'post', path: runs, headers: {}, body })
  return json as Run
}

const stuck = {
  afterMs: 120_000,
  text: 'No progress for 2 minutes: does a worker run? Its log says what the run waits for.',
}

function progressOf({ status, from, to, reached, compared, failure }: Run): Progress {
  const waits = failure === null ? '' : `; repeating a slice in a minute: ${failure}`
  const [start = 0, end = 0, at = 0] = [from, to, reached].map((each) => (each === null ? 0 : Date.parse(each)))
  const isPeriod = from !== null && to !== null
  return {
    text: `compared ${compared}, up to ${isPeriod ? reached : `address ${reached}`}${waits}`,
    // The number of addresses is unknown before the end.
    done: isPeriod ? at - start : 0,
    total: isPeriod ? end - start : 1,
    isDone: status === 'completed',
  }
}

type Page = { readonly data: readonly Difference[]; readonly next_cursor: string | null }

/** Clocks of processes may differ by this much: from then on they use the database's. */
const clocksApartMs = 2_000

/** The open differences of the run's check that were seen since it began, but for those that no run finds. */
async function differencesOf(
  { check, created_at: createdAt }: Run,
  get: (path: string) => Promise<unknown>,
): Promise<readonly Difference[]> {
  const since = Date.parse(createdAt) - clocksApartMs
  const found: Difference[] = []
  let cursor: string | null = null
  do {
    const query = new URLSearchParams({ check, status: 'open', limit: '100', ...(cursor !== null && { cursor }) })
    const page = (await get(`/operator/v1/differences?${query.toString()}`)) as Page
    const isOfRun = ({ kind, last_seen_at: seen }: Difference): boolean =>
      kind !== contradiction && Date.parse(seen) >= since
    found.push(...page.data.filter(isOfRun))
    cursor = page.next_cursor
  } while (cursor !== null)
  return found
}

const columns = ['id', 'kind', 'subject', 'expected', 'found', 'tenant_id', 'detail']

function print(
  run: Run,
  differences: readonly Difference[],
  { json = false }: Pick<ReconcileOptions, 'json'>,
  { terminal }: Pick<Context, 'terminal'>,
): void {
  const { length } = differences
  if (json) terminal.out(`${JSON.stringify({ run, differences })}\n`)
  else if (length > 0) terminal.out(`${table(differences, columns, terminal.columns).lines.join('\n')}\n`)
  const period = run.from === null ? '' : `, ${run.from} to ${run.to}`
  const result = `Compared ${run.compared} (${run.check}${period}); open differences: ${length}.`
  if (length > 0)
    throw new CommandError(
      exitCodes.differences,
      `${result} What to do about each kind: docs/operations/checks.md, “Reconciliation runs”.`,
    )
  terminal.error(`${result}\n`)
}
