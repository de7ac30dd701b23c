import { instantOf } from '../api/instant.ts'
import { ApiError, type CallApi, callApi, requireToken } from '../connection/call-api.ts'
import { type CommonOptions, timeoutMs } from '../connection/connection-options.ts'
import { connectionOf } from '../connection/connection.ts'
import type { Context } from '../context.ts'
import { usageError } from '../exit.ts'
import { progressBar, progressLine } from '../terminal.ts'

export type ResendOptions = CommonOptions & {
  readonly from: string
  readonly to: string
  readonly type?: readonly string[]
  readonly perSecond: string
  readonly after?: string
}

type Delivery = { readonly id: string; readonly event_type: string; readonly created_at: string }
type Page = { readonly data: readonly Delivery[]; readonly next_cursor: string | null }

/**
 * Sends delivered events of a period again, one attempt each, in their order: the same ids and bytes.
 *
 * @throws CommandError
 */
export async function resendPeriod(endpointId: string, options: ResendOptions, context: Context): Promise<void> {
  const { terminal, env, pause } = context
  const perSecond = /^[1-9][0-9]?$/.test(options.perSecond) ? Number(options.perSecond) : 0
  if (perSecond === 0) throw usageError('--per-second must be a whole number from 1 to 99.')
  const connection = await connectionOf(options, env)
  requireToken(connection)
  const call = callApi(connection, timeoutMs(options.timeout))
  const all = await deliveriesOf(call, endpointId, options)
  const { after } = options
  const start = after === undefined ? 0 : all.indexOf(after) + 1
  if (after !== undefined && start === 0) throw usageError(`--after: ${after} is no delivery of the period.`)
  const progress = progressLine(terminal)
  let [sent, pending] = [0, 0]
  let last = after
  try {
    for (const id of all.slice(start)) {
      if (sent + pending > 0) await pause(1000 / perSecond)
      const isSent = await resend(call, endpointId, id)
      if (isSent) sent++
      else pending++
      last = id
      progress.update(`${progressBar(start + sent + pending, all.length)} ${start + sent + pending} of ${all.length}`)
    }
  } catch (error) {
    progress.end()
    if (last !== undefined) terminal.error(`To go on where it stopped, add --after ${last}\n`)
    throw error
  }
  progress.end()
  const counts = { sent, pending, skipped: start }
  terminal.out(
    options.json
      ? `${JSON.stringify(counts)}\n`
      : `${sent} sent again${pending === 0 ? '' : `, ${pending} with an attempt under way`}.\n`,
  )
}

/** The ids of the period's delivered events, the oldest first. */
async function deliveriesOf(call: CallApi, endpointId: string, options: ResendOptions): Promise<readonly string[]> {
  const now = new Date()
  const [from, to] = [
    Date.parse(instantOf(options.from, 'from', false, now)),
    Date.parse(instantOf(options.to, 'to', true, now)),
  ]
  if (Number.isNaN(from) || Number.isNaN(to) || from > to)
    throw usageError('--from and --to must be instants in order.')
  const ids: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const filters = { endpoint_id: endpointId, status: 'delivered', limit: '100', ...(cursor !== '' && { cursor }) }
    const path = `/operator/v1/webhook-deliveries?${new URLSearchParams(filters).toString()}`
    const page = (await call({ method: 'get', path, headers: {}, body: undefined })).json as Page
    for (const { id, event_type: type, created_at: at } of page.data)
      if (Date.parse(at) >= from && Date.parse(at) <= to && (options.type?.includes(type) ?? true)) ids.push(id)
    const oldest = page.data.at(-1)
    cursor = oldest !== undefined && Date.parse(oldest.created_at) < from ? null : page.next_cursor
  }
  return ids.toReversed()
}

/** False while an attempt of it is under way, or due by itself. */
async function resend(call: CallApi, endpointId: string, id: string): Promise<boolean> {
  const path = `/operator/v1/webhook-endpoints/${endpointId}/deliveries/${id}/resend`
  try {
    await call({ method: 'post', path, headers: {}, body: {} })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.error.code === 'DELIVERY_PENDING') return false
    throw error
  }
}
