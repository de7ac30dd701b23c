import { z } from 'zod'

/** An address of the chain in an answer. */
export const addressText: z.ZodString = z.string().meta({ examples: ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'] })

/** The id of a transaction of the chain. */
export const txHashText: z.ZodString = z.string().regex(/^[0-9a-f]{64}$/)
