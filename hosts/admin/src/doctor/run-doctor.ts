import { visible } from '@quipu/client/terminal'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { environmentOf } from '../settings.ts'
import { progressLine } from '../terminal.ts'
import { checkAddresses } from './check-addresses.ts'
import { checkApi } from './check-api.ts'
import { checkProviders } from './check-chain.ts'
import { checkClocks } from './check-clocks.ts'
import { checkDatabase } from './check-database.ts'
import { checkExposure } from './check-exposure.ts'
import { checkNetwork } from './check-network.ts'
import { checkQueue } from './check-queue.ts'
import { gatewayFinding } from './check-gateway.ts'
import { checkRates } from './check-rates.ts'
import { screeningSettingFinding } from './check-screening.ts'
import { fail, failing, type Finding } from './finding.ts'
import { type ProgramName, readAllSettings } from './read-settings.ts'

export type DoctorOptions = {
  readonly envFile?: readonly string[]
  readonly program: readonly ProgramName[]
  readonly allAddresses?: true
  readonly json?: true
}

/** A check that does not end in this time fails. All addresses may take longer. */
const checkWithinMs = 30_000

/** Runs every check and prints the findings. @throws CommandError when a check fails */
export async function runDoctor(options: DoctorOptions, { terminal, env }: Context): Promise<void> {
  const all = await environmentOf(options.envFile ?? [], env)
  const { settings, findings: ofSettings } = readAllSettings(all, options.program)
  const isApi = options.program.includes('api')
  const isWorker = options.program.includes('worker')
  const checks: Readonly<Record<string, () => Promise<readonly Finding[]>>> = {
    database: () => checkDatabase(settings),
    clocks: () => checkClocks(settings),
    chain: () => checkProviders(settings),
    addresses: () => checkAddresses(settings, options.allAddresses === true),
    network: () => checkNetwork(settings),
    ...(isApi && { rates: () => checkRates(settings), exposure: () => checkExposure(settings) }),
    ...(isWorker && { queue: () => checkQueue(settings) }),
    api: () => checkApi(all),
  }
  const progress = progressLine(terminal)
  const running = new Set(Object.keys(checks))
  const found = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      progress.update(`checking ${[...running].join(', ')} …`)
      const isLong = name === 'addresses' && options.allAddresses === true
      const findings = await (isLong ? check() : inTime(name, check))
      running.delete(name)
      progress.update(`checking ${[...running].join(', ')} …`)
      return findings
    }),
  )
  progress.end()
  const findings = [...ofSettings, gatewayFinding(settings), screeningSettingFinding(settings), ...found.flat()]
  terminal.out(options.json ? `${JSON.stringify({ findings })}\n` : textOf(findings))
  const failures = findings.filter(({ status }) => status === 'fail').length
  if (failures > 0) throw new CommandError(exitCodes.refused, `Failed checks: ${failures}`)
}

function inTime(name: string, check: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  const late = fail(
    name,
    `no result within ${checkWithinMs / 1000} s`,
    'Check the network between this machine and it.',
  )
  const { promise, resolve } = Promise.withResolvers<readonly Finding[]>()
  const timeout = setTimeout(() => resolve([late]), checkWithinMs)
  return Promise.race([promise, failing(name, 'Report it as a bug.', check)]).finally(() => clearTimeout(timeout))
}

function textOf(findings: readonly Finding[]): string {
  const size = findings.reduce((longest, { check }) => Math.max(longest, check.length), 0)
  const lines = findings.flatMap(({ status, check, detail, mend }) => [
    `${status.padEnd(4)}  ${check.padEnd(size)}  ${visible(detail)}`,
    ...(mend === null ? [] : [`      ${' '.repeat(size)}  → ${mend}`]),
  ])
  const count = (wanted: Finding['status']): number => findings.filter(({ status }) => status === wanted).length
  return `${lines.join('\n')}\n${count('ok')} ok, ${count('warn')} warn, ${count('fail')} fail\n`
}
