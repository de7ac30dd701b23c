import { z } from 'zod'
import { matching } from './fields.ts'

/** An address of the chain in an answer. */
export const addressText: z.ZodString = z.string().meta({ examples: ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'] })

/** The id of a transaction of the chain. */
export const txHashText: z.ZodString = z.string().regex(/^[0-9a-f]{64}$/)

/** The hash of a transaction of the chain, in a filter. */
export const txHashFilter: z.ZodString = matching(/^[0-9a-f]{64}$/, 'must be 64 lowercase hexadecimal digits').meta({
  examples: ['5e'.repeat(32)],
})
