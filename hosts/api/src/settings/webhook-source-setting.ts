import { addressOrCidr } from '@quipu/wire'
import { z } from 'zod'

const rule = 'must be addresses and CIDRs, separated by commas, such as 192.0.2.10,2001:db8:10::/48'

/** The addresses that the page at /docs and the API’s document state. */
export const webhookSources = z
  .string()
  .transform((text) => text.split(',').map((each) => each.trim()))
  .refine((entries) => entries.every((entry) => addressOrCidr.safeParse(entry).success), rule)
  .optional()
  .describe(
    'Addresses and CIDRs from which the workers send webhooks, as receivers see them, separated by commas: /docs and the OpenAPI document state them for firewalls.',
  )
