import { ApiSettings } from '@quipu/api/settings'
import { isRequiredSetting, settingDefault } from '@quipu/runtime'
import { WorkerSettings } from '@quipu/worker/settings'
import type { z } from 'zod'

type Shape = Readonly<Record<string, z.ZodType>>

const shapes: Readonly<Record<'api' | 'worker', Shape>> = { api: ApiSettings.shape, worker: WorkerSettings.shape }
const widthMax = 100

/** Every setting of the program as an environment file, the required ones first. */
export function settingsExample(program: 'api' | 'worker'): string {
  const settings = Object.entries(shapes[program])
  const required = settings.filter(([, schema]) => isRequiredSetting(schema))
  const optional = settings.filter(([, schema]) => !isRequiredSetting(schema))
  return [
    `# The settings of the ${program}. Required:`,
    ...required.map(([name, schema]) => entry(schema, `${name}=`)),
    '# Optional, with their defaults. Some are required in production: `quipu-admin doctor` names them.',
    ...optional.map(([name, schema]) => entry(schema, `# ${name}=${settingDefault(schema) ?? ''}`)),
    '',
  ].join('\n')
}

const entry = ({ description = '' }: z.ZodType, line: string): string =>
  ['', ...wrapped(description).map((text) => `# ${text}`), line].join('\n')

/** The text in lines. */
function wrapped(text: string): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < widthMax) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
