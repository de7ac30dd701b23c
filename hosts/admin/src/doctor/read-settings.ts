import { ApiSettings } from '@quipu/api/settings'
import { WorkerSettings } from '@quipu/worker/settings'
import type { z } from 'zod'
import { fail, type Finding, ok, warn } from './finding.ts'

/** The settings of API and worker; one that is invalid or unset is missing. */
export type ReadSettings = Partial<ApiSettings> & Partial<WorkerSettings>

/** A program whose settings are checked. */
export type ProgramName = 'api' | 'worker'

const schemas = { api: ApiSettings, worker: WorkerSettings } as const

/** Reads the programs' settings as the programs do, and also returns those that are valid if others are not. */
export function readAllSettings(
  env: Readonly<Record<string, string | undefined>>,
  programs: readonly ProgramName[],
): { readonly settings: ReadSettings; readonly findings: readonly Finding[] } {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const findings = programs.flatMap((program) => {
    const { error } = schemas[program].safeParse(set)
    if (error === undefined) return [ok(`settings.${program}`, 'valid')]
    return error.issues.map(({ path, message }) => {
      const name = path.join('.')
      return fail(`settings.${program}`, `${name} ${message}`, `Change ${name}: docs/operations/settings.md.`)
    })
  })
  const values = programs.flatMap((program) =>
    Object.entries<z.ZodType>(schemas[program].shape).flatMap(([name, schema]) => {
      const { success, data } = schema.safeParse(set[name])
      return success && data !== undefined ? [[name, data] as const] : []
    }),
  )
  const settings: ReadSettings = Object.fromEntries(values)
  return { settings, findings: [...merged(findings), ...paceFindings(settings)] }
}

/** Each wallet's check becomes as old as the worker's period, and some older: the API must not call that halted. */
const paceFindings = ({ LEDGER_CHECK_SECONDS: every = 0, LEDGER_UNCHECKED_SECONDS: limit = 2 * every }: ReadSettings) =>
  limit < 2 * every
    ? [warn('settings.ledger', `a check every ${every} s counts as halted after ${limit} s`, paceMend)]
    : []
const paceMend = 'Set LEDGER_UNCHECKED_SECONDS to twice LEDGER_CHECK_SECONDS or more.'

/** A fault that both programs have is one finding, `settings`. */
const merged = (findings: readonly Finding[]): readonly Finding[] =>
  findings.flatMap((finding, index) => {
    const same = ({ status, detail }: Finding): boolean => status === 'fail' && detail === finding.detail
    if (findings.findIndex(same) < index && same(finding)) return []
    return findings.filter(same).length > 1 ? [{ ...finding, check: 'settings' }] : [finding]
  })
