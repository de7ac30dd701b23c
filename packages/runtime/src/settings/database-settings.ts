import { z } from 'zod'

const databaseRule = 'is required: postgres://user:password@host:port/database'
const oneAddressRule =
  'must lead to one address, a proxy or a virtual address in front of the primary: with several hosts, a process goes on paying on a server that was replaced, and its payouts vanish'

const scheme = /^postgres(?:ql)?:\/\//

/** pg also reads URLs without a host, whose `host` parameter is the folder of a socket. */
const isDatabaseUrl = (text: string): boolean => scheme.test(text) && URL.canParse(text.replace('@/', '@socket/'))

/** As libpq reads a URL; the driver ignores `target_session_attrs`, which chooses one of several hosts. */
function leadsToOneAddress(text: string): boolean {
  const [address = '', query] = text.replace(scheme, '').split('?')
  const hosts = address.split('/')[0]?.split('@').at(-1) ?? ''
  const parameters = new URLSearchParams(query)
  const lists = ['host', 'hostaddr', 'port'].flatMap((name) => parameters.getAll(name))
  return ![hosts, ...lists].some((list) => list.includes(',')) && !parameters.has('target_session_attrs')
}

/** The URL of the database, of every program and command. */
export const databaseUrl: z.ZodString = z
  .string(databaseRule)
  .refine(leadsToOneAddress, { error: oneAddressRule, abort: true })
  .refine(isDatabaseUrl, databaseRule)
  .describe('The PostgreSQL 18 database, migrated: one address, which leads to the primary.')

/** How the loss of the database's machine is survived. */
export const standbyChoices = ['required', 'managed', 'none'] as const

/** The variable of the programs that commit payments. */
export const standbySettings: {
  readonly DATABASE_STANDBY: z.ZodOptional<z.ZodEnum<{ [Choice in (typeof standbyChoices)[number]]: Choice }>>
} = {
  DATABASE_STANDBY: z
    .enum(standbyChoices, `must be one of ${standbyChoices.join(', ')}`)
    .optional()
    .describe(
      'required: a commit counts only while `synchronous_standby_names` names a standby. managed: the storage of the database is mirrored. none: the loss of its machine loses answered payments. Production requires a choice; elsewhere none is the default.',
    ),
}

/** The variable of the programs that answer lists. */
export const replicaSettings: { readonly DATABASE_REPLICA_URL: z.ZodOptional<typeof databaseUrl> } = {
  DATABASE_REPLICA_URL: databaseUrl
    .optional()
    .describe(
      'A standby of the database, or a proxy in front of several. Lists, statements and the operators’ overview are read there as soon as it has replayed all that the primary has; else the primary answers.',
    ),
}

/** Whether the adapter of the database watches that the server requires a standby. */
export const isStandbyRequired = ({ DATABASE_STANDBY }: { readonly DATABASE_STANDBY?: unknown }): boolean =>
  DATABASE_STANDBY === 'required'
