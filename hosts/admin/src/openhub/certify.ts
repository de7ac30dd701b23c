import { basicOf } from '@quipu/openhub'
import { networkChoice, networkSettings } from '@quipu/runtime'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { CommandError, exitCodes, usageError } from '../exit.ts'
import { environmentOf, settingsOf } from '../settings.ts'
import { type Folder, openFolder } from './certification.ts'
import { answered, type Exchange, type OpenHubAccess, openHubClient } from './openhub-client.ts'
import { type QuestionName, questions } from './questions.ts'
import { type Step, steps, type Tools } from './steps.ts'

export type CertifyOptions = {
  readonly host: string
  readonly closedQr: readonly string[]
  readonly openQr: readonly string[]
  readonly out: string
  readonly amount: string
  readonly envFile?: readonly string[]
  readonly production?: true
}

const Settings = z.object({ ENVIRONMENT: z.string().optional(), ...networkSettings })

function accessOf(settings: z.output<typeof Settings>): OpenHubAccess {
  const choice = networkChoice({ ...settings, QR_NETWORK: 'openhub' })
  if (choice?.type !== 'openhub')
    throw usageError(
      'Set OPENHUB_URL, OPENHUB_CLIENT_ID, OPENHUB_CLIENT_SECRET or OPENHUB_BASIC_TOKEN, OPENHUB_NIT and OPENHUB_SOURCE_ACCOUNT.',
    )
  const { url, credentials, nit, sourceAccount: account } = choice.options
  const { clientId } = credentials
  const basic = basicOf(credentials)
  const { OPENHUB_TOKEN_PATH: tokenPath, OPENHUB_QR_PATH: qrPath, OPENHUB_ACCOUNTS_PATH: accountsPath } = settings
  return { url, clientId, basic, nit, account, tokenPath, qrPath, accountsPath }
}

/**
 * Runs the steps that have no answer yet and are due, and prints what stays open.
 *
 * @throws CommandError for production without the flag; when an answer is lost; while steps are to come
 */
export async function certify(options: CertifyOptions, context: Context, now = () => new Date()): Promise<void> {
  const settings = settingsOf(Settings, await environmentOf(options.envFile ?? [], context.env))
  const access = accessOf(settings)
  const { host } = new URL(access.url)
  if (host !== options.host) throw usageError(`--host: OPENHUB_URL is at ${host}.`)
  if (settings.ENVIRONMENT === 'production' && !options.production)
    throw usageError('ENVIRONMENT is production: certify pays QRs. Use the settings of a sandbox, or --production.')
  if (!/^\d{1,7}\.\d\d$/.test(options.amount)) throw usageError('--amount must be BOB with two decimals, such as 1.00.')
  const folder = await openFolder(options.out, host).catch((error: unknown) => {
    throw usageError(`--out: ${error instanceof Error ? error.message : 'cannot be used'}`)
  })
  const tools = toolsOf(access, options, folder, now)
  const toCome: string[] = []
  for (const step of steps) {
    if (folder.state.done[step.name] !== undefined) continue
    const due = dueAt(step, folder)
    if (due > now()) toCome.push(`${step.name}, due at ${due.toISOString()}`)
    else await runStep(step, tools, folder, [access.clientId, access.basic, access.nit, access.account], context)
  }
  printQuestions(folder, context)
  if (toCome.length === 0) return
  throw new CommandError(exitCodes.unavailable, `To come; run the command again: ${toCome.join('; ')}.`)
}

function dueAt({ after }: Step, { state }: Folder): Date {
  const at = after && state.facts[after.fact]
  return at ? new Date(Date.parse(at) + after.seconds * 1000) : new Date(0)
}

async function runStep(
  step: Step,
  tools: Tools,
  folder: Folder,
  secrets: readonly string[],
  { terminal }: Context,
): Promise<void> {
  const exchanges = await step.run(tools).catch(async (error: unknown) => {
    await folder.save()
    throw new CommandError(exitCodes.unavailable, `${step.name}: ${error instanceof Error ? error.message : 'failed'}`)
  })
  const tokens = exchanges.map((each) => answered(each, 'access_token')).filter((each) => each !== undefined)
  await folder.keep(step.name, exchanges, [...secrets, ...tokens])
  const lost = exchanges.find((each) => 'failure' in each)
  const isRefused = step.isNeeded === true && answered(exchanges.at(-1), 'code') !== '00'
  // Either leaves the step to the next run, with another transaction id.
  if (!lost && !isRefused) folder.state.done[step.name] = tools.now().toISOString()
  await folder.save()
  terminal.out(`${step.name}: ${exchanges.map(summary).join('; ')}\n`)
  if (lost) throw new CommandError(exitCodes.unavailable, `${step.name}: no answer. Run the command again.`)
  if (isRefused)
    throw new CommandError(exitCodes.unavailable, `${step.name}: not paid. Run the command again with another QR.`)
}

function summary(exchange: Exchange): string {
  if ('failure' in exchange) return `no answer (${exchange.failure})`
  const said = [
    ['code', answered(exchange, 'code')],
    ['state', answered(exchange, 'data.estado')],
    ['reference', answered(exchange, 'data.numeroReferencia')],
    ['amount', answered(exchange, 'data.importe')],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]))
  return [`HTTP ${exchange.status}`, ...said].join(' ')
}

function toolsOf(access: OpenHubAccess, options: CertifyOptions, { state }: Folder, now: () => Date): Tools {
  const client = openHubClient(access, now)
  const { used, facts } = state
  const begun = now().toISOString().replaceAll(/\D/g, '').slice(2, 14)
  let made = 0
  let current: { readonly token: string; readonly until: number } | undefined
  const pick = (texts: readonly string[], index: number): string => texts[index % texts.length] ?? ''
  return {
    client,
    access,
    facts,
    amount: options.amount,
    now,
    closedQr: () => (facts['closedQr'] = pick(options.closedQr, used.closed++)),
    openQr: () => pick(options.openQr, used.open++),
    transactionId: (tail = '') => `QC${begun}-${++made}${tail}`,
    token: async () => {
      if (current === undefined || current.until < now().getTime()) {
        const exchange = await client.token()
        const token = answered(exchange, 'access_token')
        if (token === undefined) throw new Error(`no token: ${summary(exchange)}`)
        const life = Number(answered(exchange, 'expires_in') ?? '3600')
        current = { token, until: now().getTime() + (life - 120) * 1000 }
      }
      return current.token
    },
  }
}

/** The answers decide nothing by themselves: a person reads them. */
function printQuestions({ state }: Folder, { terminal }: Context): void {
  terminal.out('\nOpen until you have read the answer, or have ATC’s written word:\n')
  for (const [name, { text: asked, decides, isTried }] of Object.entries(questions)) {
    const files = steps.filter((step) => step.answers.includes(name as QuestionName)).map((step) => step.name)
    const missing = files.filter((file) => state.done[file] === undefined)
    const where = !isTried
      ? 'in writing'
      : missing.length > 0
        ? `to come: ${missing.join(', ')}`
        : `read ${files.join(', ')}`
    terminal.out(`  ${name.padEnd(4)}${asked} [${decides}] (${where})\n`)
  }
}
