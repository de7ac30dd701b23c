import { table } from '@quipu/client/terminal'
import { callApi, requireToken } from '../connection/call-api.ts'
import { type CommonOptions, timeoutMs, wholeSeconds } from '../connection/connection-options.ts'
import { connectionOf } from '../connection/connection.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { type Progress, watch } from '../watch.ts'

export type WatchOptions = CommonOptions & { readonly interval: string }

/** A batch, as the API shows it. */
type Batch = {
  readonly transfers: readonly {
    readonly status: 'planned' | 'signed' | 'solid' | 'failed' | 'expired'
    readonly problem: string | null
  }[]
}

/** Waits until no transfer of the batch can move any more. @throws CommandError when one did not move its tokens */
export async function watchSweep(batchId: string, options: WatchOptions, context: Context): Promise<void> {
  const { terminal, env } = context
  const interval = wholeSeconds(options.interval, '--interval')
  const connection = await connectionOf(options, env)
  requireToken(connection)
  if (connection.notice !== undefined) terminal.error(`${connection.notice}\n`)
  const call = callApi(connection, timeoutMs(options.timeout))
  const path = `/operator/v1/sweep/batches/${encodeURIComponent(batchId)}`
  const read = async (): Promise<Batch> =>
    (await call({ method: 'get', path, headers: {}, body: undefined })).json as Batch
  const batch = await watch({ read, progressOf, interval, stuck }, context)
  const { transfers } = batch
  terminal.out(
    options.json ? `${JSON.stringify(batch)}\n` : `${table(transfers, columns, terminal.columns).lines.join('\n')}\n`,
  )
  const lost = transfers.filter(({ status }) => status !== 'solid').length
  if (lost > 0)
    throw new CommandError(
      exitCodes.refused,
      `Not swept: ${lost} of ${transfers.length}. Mend what \`problem\` says (docs/operations/money.md, “Sweeps”), then plan another batch.`,
    )
}

const columns = ['id', 'status', 'problem', 'amount', 'address', 'tx_id', 'ended_at']

const stuck = {
  afterMs: 600_000,
  text: 'No progress for 10 minutes: does a worker run? A transfer that is not signed waits until the batch expires.',
}

function progressOf({ transfers }: Batch): Progress {
  const count = (wanted: string): number => transfers.filter(({ status }) => status === wanted).length
  const isLive = ({ status }: Batch['transfers'][number]): boolean => status === 'planned' || status === 'signed'
  const live = transfers.filter(isLive)
  const problems = [...new Set(live.flatMap(({ problem }) => problem ?? []))].join(', ')
  const states = ['planned', 'signed', 'solid', 'failed', 'expired']
    .filter((status) => count(status) > 0)
    .map((status) => `${count(status)} ${status}`)
  return {
    text: `${states.join(', ')}${problems === '' ? '' : `; waiting for ${problems}`}`,
    done: transfers.length - live.length,
    total: transfers.length,
    isDone: live.length === 0,
  }
}
