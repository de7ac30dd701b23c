import { type Money, toDecimal } from '@quipu/core'
import { z } from 'zod'

/** Whether a program refuses to start without the setting. */
export const isRequiredSetting = (schema: z.ZodType): boolean => !schema.safeParse(undefined).success

/** The default of a setting, formatted as in the environment; undefined without one. */
export function settingDefault(schema: z.core.$ZodType): string | undefined {
  if (schema instanceof z.ZodDefault) return written(schema.def.defaultValue)
  if (schema instanceof z.ZodPipe) return settingDefault(schema.def.in)
  return undefined
}

function written(value: unknown): string {
  if (Array.isArray(value)) return value.join()
  if (typeof value === 'object' && value !== null) return toDecimal(value as Money)
  return String(value)
}
