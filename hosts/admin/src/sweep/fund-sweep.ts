import { readFile } from 'node:fs/promises'
import { callApi, requireToken } from '../connection/call-api.ts'
import { type CommonOptions, timeoutMs } from '../connection/connection-options.ts'
import { connectionOf } from '../connection/connection.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes, usageError } from '../exit.ts'
import { writeSecretFile } from '../output/secret-file.ts'

export type FundOptions = CommonOptions & { readonly out?: string; readonly check?: string }

/** A transfer of a batch, as the API shows it. */
type Transfer = {
  readonly address: string
  readonly trx_missing: string
  readonly status: 'planned' | 'signed' | 'solid' | 'failed' | 'expired'
  readonly problem: string | null
}

const header = 'address,trx'
const row = /^(T[1-9A-HJ-NP-Za-km-z]{33}),([0-9]+\.[0-9]{6})$/

/** Prints which addresses of a batch lack how much TRX, or compares a file of these with the batch. @throws CommandError */
export async function fundSweep(batchId: string, options: FundOptions, { terminal, env }: Context): Promise<void> {
  const connection = await connectionOf(options, env)
  requireToken(connection)
  const given = options.check === undefined ? undefined : await readRows(options.check)
  const path = `/operator/v1/sweep/batches/${encodeURIComponent(batchId)}`
  const call = callApi(connection, timeoutMs(options.timeout))
  const { json } = await call({ method: 'get', path, headers: {}, body: undefined })
  const { transfers } = json as { readonly transfers: readonly Transfer[] }
  if (given !== undefined) return checkFunding(given, transfers, terminal.out)
  const isLive = ({ status }: Transfer): boolean => status === 'planned' || status === 'signed'
  const lacking = transfers.filter((each) => isLive(each) && !/^[0.]+$/.test(each.trx_missing))
  const text = [header, ...lacking.map((each) => `${each.address},${each.trx_missing}`), ''].join('\n')
  if (options.out === undefined) terminal.out(text)
  else await writeSecretFile(options.out, text)
}

/** The rows of a file. @throws CommandError naming the first line that is none */
async function readRows(file: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw usageError(`--check: the file ${file} cannot be read.`)
  })
  const [first = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  if (first !== header) throw usageError(`--check: line 1 must be ${header}.`)
  const rows = lines.flatMap((line, index): [string, string][] => {
    if (line === '') return []
    const [, address, trx] = row.exec(line) ?? []
    if (address === undefined || trx === undefined)
      throw usageError(`--check: line ${index + 2} must be an address and an amount of TRX such as 8.760000.`)
    return [[address, trx]]
  })
  return new Map(rows)
}

function checkFunding(
  rows: ReadonlyMap<string, string>,
  transfers: readonly Transfer[],
  out: (text: string) => void,
): void {
  const states = Array.from(rows.keys(), (address) => ({
    address,
    state: stateOf(transfers.find((each) => each.address === address)),
  }))
  for (const { address, state } of states) out(`${address}  ${state}\n`)
  const waiting = states.filter(({ state }) => state !== 'funded').length
  if (waiting > 0)
    throw new CommandError(exitCodes.refused, `Not known to be funded: ${waiting} of ${states.length} addresses.`)
}

/** A worker compares an address with its fee once its transfer is signed. */
function stateOf(transfer: Transfer | undefined): string {
  if (transfer === undefined) return 'not in this batch'
  if (transfer.status === 'planned') return 'compared once its transfer is signed'
  if (transfer.status === 'expired') return 'expired'
  return transfer.problem === 'TRX_MISSING' ? `lacks TRX, ${transfer.trx_missing} when it was planned` : 'funded'
}
