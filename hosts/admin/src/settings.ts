import { BadSettings, readSettings } from '@quipu/runtime'
import type { z } from 'zod'
import { usageError } from './exit.ts'

/** Reads a command's environment variables. @throws CommandError naming each that is missing or wrong */
export function settingsOf<Schema extends z.ZodType>(
  schema: Schema,
  env: Readonly<Record<string, string | undefined>>,
): z.output<Schema> {
  try {
    return readSettings(schema, env)
  } catch (error) {
    throw error instanceof BadSettings ? usageError(error.message) : error
  }
}
