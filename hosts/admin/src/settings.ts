import type { OwnerConnection } from '@quipu/postgres'
import { BadSettings, isStandbyRequired, type OwnerSettings, readSettings } from '@quipu/runtime'
import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import type { z } from 'zod'
import type { Context } from './context.ts'
import { usageError } from './exit.ts'

/** Reads a command's environment variables. @throws CommandError naming each that is missing or wrong */
export function settingsOf<Schema extends z.ZodType>(schema: Schema, env: Context['env']): z.output<Schema> {
  try {
    return readSettings(schema, env)
  } catch (error) {
    throw error instanceof BadSettings ? usageError(error.message) : error
  }
}

/** How a command that runs as the database's owner connects. */
export const ownerOf = (settings: z.output<typeof OwnerSettings>): OwnerConnection => ({
  connectionString: settings.DATABASE_URL,
  isStandbyRequired: isStandbyRequired(settings),
})

/** The environment, below the variables of the files of `--env-file`. @throws CommandError */
export async function environmentOf(files: readonly string[], env: Context['env']): Promise<Context['env']> {
  const texts = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(file, 'utf8').catch(() => {
        throw usageError(`--env-file: ${file} cannot be read.`)
      })
      return parseEnv(text)
    }),
  )
  return Object.assign({}, env, ...texts) as Context['env']
}
