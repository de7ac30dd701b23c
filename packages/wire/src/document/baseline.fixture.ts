// The document that changes are compared with. `pnpm --filter @quipu/wire baseline` writes it: with a release, or to
// accept a change that breaks clients.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { publicOpenApi } from './public.ts'

export const baselineFile: string = fileURLToPath(new URL('../../openapi-baseline.txt', import.meta.url))

/** JSON with a line for each operation and each schema. */
export function inLines(value: unknown, depth = 3): string {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${inLines(member, depth - 1)}`)
  return `{\n${members.join(',\n')}\n}`
}

if (import.meta.main) writeFileSync(baselineFile, `${inLines(publicOpenApi())}\n`)
