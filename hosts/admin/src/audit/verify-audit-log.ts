import { visible } from '@quipu/client/terminal'
import { readFile } from 'node:fs/promises'
import { type CallApi, callApi, requireToken } from '../connection/call-api.ts'
import { timeoutMs } from '../connection/connection-options.ts'
import { connectionOf } from '../connection/connection.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes, usageError } from '../exit.ts'
import type { AuditVerifyOptions } from './audit-options.ts'
import { progressBar, progressLine } from '../terminal.ts'

/** An answer of the verification. */
type Slice = {
  readonly flaw: { readonly id: string; readonly detail: string } | null
  readonly verified: { readonly id: string; readonly hash: string }
  readonly resume_after: string | null
  readonly checkpoint: { readonly contained: boolean; readonly signed: boolean | null } | null
}

const path = '/operator/v1/audit-log'

/** Verifies slice by slice. @throws CommandError at a flaw, or when the checkpoint does not match */
export async function verifyAuditLog(options: AuditVerifyOptions, { terminal, env }: Context): Promise<void> {
  const checkpoint = options.checkpoint === undefined ? null : await readCheckpoint(options.checkpoint)
  const connection = await connectionOf(options, env)
  requireToken(connection)
  if (connection.notice !== undefined) terminal.error(`${connection.notice}\n`)
  const call = callApi(connection, timeoutMs(options.timeout))
  const progress = progressLine(terminal)
  const newest = await newestId(call)
  const first = new URLSearchParams({
    ...(options.after !== undefined && { after: options.after }),
    ...(checkpoint !== null && { checkpoint }),
  })
  let slice = await verifySlice(call, first)
  const compared = slice.checkpoint
  while (slice.resume_after !== null) {
    progress.update(progressBar(Number(slice.verified.id), newest))
    slice = await verifySlice(call, new URLSearchParams({ after: slice.resume_after }))
  }
  progress.end()
  const result = { flaw: slice.flaw, verified: slice.verified, checkpoint: compared }
  if (options.json) terminal.out(`${JSON.stringify(result)}\n`)
  requireIntact(result)
  if (!options.json) terminal.out(intactText(result))
}

async function verifySlice(call: CallApi, query: URLSearchParams): Promise<Slice> {
  const request = { method: 'get', headers: {}, body: undefined }
  const search = query.size === 0 ? '' : `?${query.toString()}`
  return (await call({ ...request, path: `${path}/verification${search}` })).json as Slice
}

/** For the progress alone. */
async function newestId(call: CallApi): Promise<number> {
  const { json } = await call({ method: 'get', path: `${path}?limit=1`, headers: {}, body: undefined })
  const { data } = json as { readonly data: readonly { readonly id: string }[] }
  return Number(data[0]?.id ?? 0)
}

type Result = Pick<Slice, 'flaw' | 'verified' | 'checkpoint'>

const breakIn = 'Treat it as a break-in: docs/operations/checks.md, “The audit log”.'

function requireIntact({ flaw, checkpoint }: Result): void {
  const faults = [
    ...(flaw ? [`Entry ${flaw.id}: ${visible(flaw.detail)}`] : []),
    ...(checkpoint?.contained === false ? ['The log does not have the entry of the checkpoint.'] : []),
    ...(checkpoint?.signed === false ? ['AUDIT_CHECKPOINT_KEY did not sign the checkpoint.'] : []),
  ]
  if (faults.length > 0) throw new CommandError(exitCodes.refused, [...faults, breakIn].join('\n'))
}

function intactText({ verified, checkpoint }: Result): string {
  const entries = `Every entry up to ${verified.id} is as it was written.\n`
  if (checkpoint === null) return entries
  const signed = checkpoint.signed === null ? 'the API has no key to check its signature' : 'signed'
  return `${entries}The log has the entry of the checkpoint; ${signed}.\n`
}

type Checkpoint = { readonly id: string; readonly hash: string; readonly at: string; readonly signature: string }

/** The checkpoint in a log line, or in the last line of a file that has one, as the API takes it. */
async function readCheckpoint(given: string): Promise<string> {
  const text = given.startsWith('@') ? await textOf(given.slice(1)) : given
  const found = text
    .split('\n')
    .flatMap((line) => checkpointIn(line) ?? [])
    .at(-1)
  if (found === undefined) throw usageError('--checkpoint: no line has an audit_checkpoint.')
  const { id, hash, at, signature } = found
  return JSON.stringify({ id, hash, at, signature })
}

const textOf = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch(() => {
    throw usageError(`--checkpoint: the file ${file} cannot be read.`)
  })

function checkpointIn(line: string): Checkpoint | undefined {
  try {
    const json = JSON.parse(line) as { readonly audit_checkpoint?: Checkpoint } & Partial<Checkpoint>
    const found = json.audit_checkpoint ?? json
    return typeof found.signature === 'string' ? (found as Checkpoint) : undefined
  } catch {
    return undefined
  }
}
