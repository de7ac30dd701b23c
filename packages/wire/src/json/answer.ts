import type { IdPrefix } from '@quipu/core/adapter'
import { z } from 'zod'
import { id } from './identifier.ts'

/** An instant in an answer: UTC, milliseconds, `Z`. @source spec §2 Formats */
export const time: z.ZodString = z
  .string()
  .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/)
  .meta({ format: 'date-time', examples: ['2026-11-20T15:04:05.000Z'] })

/** A UUID in an answer: lower case. */
export const uuidText: z.ZodString = z
  .string()
  .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  .meta({ format: 'uuid', examples: ['0199a3f4-5c00-7000-8000-000000000001'] })

/** An id in an answer. */
export const idText = (prefix: IdPrefix): z.ZodString => id(prefix)
