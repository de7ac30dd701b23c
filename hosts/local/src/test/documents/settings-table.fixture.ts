import { ApiSettings } from '@quipu/api'
import { ExampleSettings } from '@quipu/example'
import { isRequiredSetting, MigrationSettings, settingDefault } from '@quipu/runtime'
import { WorkerSettings } from '@quipu/worker'
import type { z } from 'zod'
import { LocalSettings } from '../../start/settings.ts'

/** Settings schema of each program. */
const hosts = {
  API: ApiSettings,
  worker: WorkerSettings,
  'example server': ExampleSettings,
  migrate: MigrationSettings,
  start: LocalSettings,
} as const

type Row = { readonly name: string; readonly default: string; readonly description: string }

/** The names of all environment variables. */
export const settingNames = (): readonly string[] => Object.values(hosts).flatMap(({ shape }) => Object.keys(shape))

/** A Markdown table of all environment variables, from the hosts' schemas. */
function settingsTable(): string {
  const readers = new Map<string, string[]>()
  for (const [host, { shape }] of Object.entries(hosts)) {
    for (const [name, schema] of Object.entries<z.ZodType>(shape)) {
      const row = JSON.stringify(rowOf(name, schema))
      readers.set(row, [...(readers.get(row) ?? []), host])
    }
  }
  const rows = Array.from(readers, ([row, by]) => ({ ...(JSON.parse(row) as Row), by: by.join(', ') }))
  return [
    '| Variable | Read by | Default | Meaning |',
    '|-|-|-|-|',
    ...rows.map((row) => `| \`${row.name}\` | ${row.by} | ${row.default} | ${row.description} |`),
  ].join('\n')
}

function rowOf(name: string, schema: z.ZodType): Row {
  if (!schema.description) throw new Error(`${name} has no description`)
  return { name, default: shown(schema), description: schema.description.replaceAll('|', '\\|') }
}

function shown(schema: z.ZodType): string {
  if (isRequiredSetting(schema)) return '**required**'
  const value = settingDefault(schema)
  return value === undefined || value === '' ? '' : `\`${value}\``
}

const [begin, end] = ['<!-- settings: written by `generate` of hosts/local -->', '<!-- /settings -->']

/** Replaces the table between the document's markers. */
export function withSettingsTable(document: string): string {
  const [before, after] = [document.indexOf(begin), document.indexOf(end)]
  if (before < 0 || after < before) throw new Error('the markers of the settings table are missing')
  const head = document.slice(0, before + begin.length)
  return `${head}\n${settingsTable()}\n${document.slice(after)}`
}
