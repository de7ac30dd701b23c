import type { KeyRing } from '@quipu/core'
import { WorkerSettings } from '@quipu/worker/settings'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { callApi, requireToken } from '../connection/call-api.ts'
import { type CommonOptions, timeoutMs, wholeSeconds } from '../connection/connection-options.ts'
import { connectionOf } from '../connection/connection.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes, usageError } from '../exit.ts'
import { environmentOf, settingsOf } from '../settings.ts'
import { readKeyUse } from './key-use.ts'
import { hasNumbers, refusalOf, ringAfter, type RingSetting, ringText, type RotationStep, stepOf } from './rotation.ts'
import { untilRenewed } from './until-renewed.ts'

export type RotateOptions = CommonOptions & {
  readonly envFile?: readonly string[]
  readonly wait: boolean
  readonly interval: string
}

/** Prints the setting of the next step. @throws CommandError when the API does not run with the setting before it */
export async function rotateSecret(setting: RingSetting, options: RotateOptions, context: Context): Promise<void> {
  const { terminal } = context
  const env = await environmentOf(options.envFile ?? [], context.env)
  const ring = ringOf(setting, env)
  const connection = await connectionOf(options, env)
  requireToken(connection)
  if (connection.notice !== undefined) terminal.error(`${connection.notice}\n`)
  const call = callApi(connection, timeoutMs(options.timeout))
  const read = () => readKeyUse(call, setting)
  const step = stepOf(ring)
  const refusal = refusalOf(ring, step, await read())
  if (refusal !== undefined) throw new CommandError(exitCodes.refused, refusal)
  if (step === 'renew') await untilRenewed({ read, ring }, { ...options, interval: intervalMs(options) }, context)
  const next = ringAfter(ring, step, () => randomBytes(32))
  const value = ringText(next)
  if (options.json) return terminal.out(`${JSON.stringify({ step, setting, value })}\n`)
  terminal.error(`${adviceOf(step, setting, ring, next)}\n`)
  terminal.out(`${setting}=${value}\n`)
}

const intervalMs = ({ interval }: RotateOptions): number => wholeSeconds(interval, '--interval')

function ringOf(setting: RingSetting, env: Context['env']): KeyRing {
  const schema = z.object({ [setting]: WorkerSettings.shape[setting] })
  const { [setting]: ring } = settingsOf(schema, env) as Partial<Record<RingSetting, KeyRing>>
  if (ring === undefined)
    throw usageError(`${setting} is not set: name its file with --env-file, with the value that the processes have.`)
  if (!hasNumbers(ring))
    throw usageError(
      `The ids of ${setting} must be numbers to be rotated by this command: rotate it by hand, docs/operations/keys.md, “Rotating a master key”.`,
    )
  return ring
}

const restart = 'Give this setting to every API and worker, and restart them one by one.'

function adviceOf(step: RotationStep, setting: RingSetting, ring: KeyRing, next: KeyRing): string {
  const again = `Then run this command again with it: quipu-admin secrets rotate ${setting}`
  const [{ id: current }] = next
  switch (step) {
    case 'add':
      return `Step 1 of 3: key ${next.at(-1)?.id} is new, and makes nothing yet. ${restart} Each can then read what it will make.\n${again}`
    case 'promote':
      return `Step 2 of 3: key ${current} makes every new value from now on. ${restart} Workers renew what older keys made, at their start and every hour.\n${again}`
    case 'renew': {
      const older = ring.slice(1).map(({ id }) => id)
      return `Step 3 of 3: every value uses key ${current}, and key ${older.join(', ')} may be deleted. ${restart} Keep the old key with the backups of the time before, which need it.`
    }
  }
}
