import { z } from 'zod'
import { matching } from './fields.ts'

/** Without `^` and `$`. */
const inner = (pattern: RegExp): string => `(?:${pattern.source.slice(1, -1)})`
const v4Bits = '(?:3[0-2]|[12]?[0-9])'
const v6Bits = '(?:12[0-8]|1[01][0-9]|[1-9]?[0-9])'
const v4 = `${inner(z.regexes.ipv4)}(?:/${v4Bits})?`
const v6 = `${inner(z.regexes.ipv6)}(?:/${v6Bits})?`

/** An IPv4 or IPv6 address, or a CIDR. */
export const addressOrCidr: z.ZodString = matching(
  new RegExp(`^(?:${v4}|${v6})$`),
  'must be an IPv4 or IPv6 address, or a CIDR such as 192.0.2.0/24',
)
