import { createHmac } from 'node:crypto'
import type { KeyRing } from '@quipu/core'
import { consoleSessionLife, type OperatorRole, operatorRoles } from '@quipu/core/operator'
import { isPlainHttp, keyRing, type SettingIssue, whole } from '@quipu/runtime'
import { z } from 'zod'

const isTrue = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true')

const webUrl = (what: string) =>
  z
    .url({ protocol: /^https?$/, error: `must be ${what}` })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()

const isRole = (text: string | undefined): text is OperatorRole => operatorRoles.some((role) => role === text)

const roles = z
  .string()
  .transform((text) => text.split(',').map((pair) => /^(.+)=([a-z]+)$/.exec(pair.trim())?.slice(1) ?? []))
  .refine(
    (pairs) => pairs.every(([, role]) => isRole(role)),
    'must be groups with roles, such as payments=operator,it=admin',
  )
  .transform((pairs): readonly GroupRole[] =>
    pairs.flatMap(([group = '', role]) => (isRole(role) ? [{ group, role }] : [])),
  )
  .optional()

/** The role of a provider's group. */
export type GroupRole = { readonly group: string; readonly role: OperatorRole }

/** How people sign in to the console. */
export const signInSettings = {
  CONSOLE_IDLE_MINUTES: whole(1, consoleSessionLife.maxMinutes)
    .default(consoleSessionLife.idleMinutes)
    .describe('A session of the console ends when the person has not used it for this long.'),
  CONSOLE_TOKEN_SIGN_IN: isTrue
    .default(true)
    .describe(
      'Whether people may sign in to the console with an operator token. With false, an OpenID provider is required.',
    ),
  OPERATOR_SECOND_FACTOR: z
    .enum(['optional', 'console', 'always'], 'must be optional, console or always')
    .default('optional')
    .describe(
      'Who must have a second factor to write: nobody, sessions of the console, or every request, so that a token alone only reads. A sign-in by OpenID Connect counts as one.',
    ),
  OPERATOR_SIGN_IN_KEY: keyRing('the keys that prove sign-ins')
    .optional()
    .describe(
      'Proves sign-ins by OpenID Connect and second factors to the database, and encrypts the latter: 32 bytes in hex, the same for each API. `quipu-admin keys set-sign-in` gives it to the database. While it is rotated, several keys with ids, the current one first.',
    ),
  OIDC_ISSUER: webUrl('the URL of the OpenID provider').describe(
    'The OpenID provider at which people sign in to the console; without it there is none.',
  ),
  OIDC_CLIENT_ID: z.string().min(1).optional().describe('The client that the provider knows the console as.'),
  OIDC_CLIENT_SECRET: z.string().min(1).optional().describe('The secret of that client.'),
  OIDC_CONSOLE_URL: webUrl('the URL of the operator listener').describe(
    'The operator listener as browsers reach it. Register `<it>/operator/v1/sign-in/callback` at the provider, and `<it>/console` for signing out.',
  ),
  OIDC_ROLES: roles.describe(
    'Roles of the provider’s groups, the strongest first, such as `quipu-admins=admin,payments=operator`. A person in none of them is refused.',
  ),
  OIDC_GROUPS_CLAIM: z.string().min(1).default('groups').describe('The claim with the person’s groups.'),
  OIDC_PERSON_CLAIM: z
    .string()
    .min(1)
    .default('preferred_username')
    .describe(
      'The claim with the person’s stable name. In lower case it is the name of the person’s operator tokens: they are one person. An `email` must be verified.',
    ),
  OIDC_SCOPE: z.string().min(1).default('openid profile email').describe('The scope that is asked for; with `openid`.'),
  OIDC_LOGOUT: isTrue.default(false).describe('Whether signing out also ends the session at the provider.'),
}

const schema = z.object(signInSettings)
export type SignInSettings = z.output<typeof schema>

/** An OpenID provider, and how its claims are read. */
export type OidcClient = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly consoleUrl: string
  readonly roles: readonly GroupRole[]
  readonly groupsClaim: string
  readonly personClaim: string
  readonly scope: string
  readonly endsProviderSession: boolean
}

/** How people sign in. */
export type SignInPolicy = {
  readonly idleMs: number
  readonly allowsToken: boolean
  readonly secondFactor: SignInSettings['OPERATOR_SECOND_FACTOR']
  readonly keys: KeyRing | undefined
  /** Left out: there is no provider. */
  readonly oidc: OidcClient | undefined
}

export const signInPolicyOf = (settings: SignInSettings): SignInPolicy => ({
  idleMs: settings.CONSOLE_IDLE_MINUTES * 60_000,
  allowsToken: settings.CONSOLE_TOKEN_SIGN_IN,
  secondFactor: settings.OPERATOR_SECOND_FACTOR,
  keys: settings.OPERATOR_SIGN_IN_KEY,
  oidc: clientOf(settings),
})

function clientOf(settings: SignInSettings): OidcClient | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = settings
  const { OIDC_CONSOLE_URL: consoleUrl, OIDC_ROLES: mapped } = settings
  if (!issuer || !clientId || !clientSecret || !consoleUrl || !mapped) return undefined
  return {
    issuer,
    clientId,
    clientSecret,
    consoleUrl,
    roles: mapped,
    groupsClaim: settings.OIDC_GROUPS_CLAIM,
    personClaim: settings.OIDC_PERSON_CLAIM,
    scope: settings.OIDC_SCOPE,
    endsProviderSession: settings.OIDC_LOGOUT,
  }
}

/** Keys for a secret box, made of those that prove sign-ins, so that no key serves two purposes. */
export const boxKeysOf = ([current, ...older]: KeyRing): KeyRing => {
  const derived = ({ id, key }: KeyRing[number]) => ({
    id,
    key: createHmac('sha256', key).update('secret box').digest(),
  })
  return [derived(current), ...older.map(derived)]
}

const together = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_CONSOLE_URL', 'OIDC_ROLES'] as const

type Checked = Partial<SignInSettings> & { readonly ENVIRONMENT?: string | undefined }

/** Reports settings of sign-ins that contradict each other, or that production refuses. */
export function* signInIssues(settings: Checked): Generator<SettingIssue> {
  const hasProvider = together.some((name) => settings[name] !== undefined)
  const key = 'OPERATOR_SIGN_IN_KEY'
  if (hasProvider) {
    for (const variable of [...together, key] as const)
      if (settings[variable] === undefined)
        yield { variable, message: `is required, as a setting of ${together[0]} is set` }
  } else if (settings.CONSOLE_TOKEN_SIGN_IN === false)
    yield { variable: 'CONSOLE_TOKEN_SIGN_IN', message: 'must be true without OIDC_ISSUER: nobody could sign in' }
  if (settings.OPERATOR_SECOND_FACTOR !== 'optional' && settings[key] === undefined)
    yield { variable: key, message: 'is required with OPERATOR_SECOND_FACTOR' }
  if (settings.ENVIRONMENT !== 'production') return
  for (const variable of ['OIDC_ISSUER', 'OIDC_CONSOLE_URL'] as const)
    if (isPlainHttp(settings[variable] ?? 'https://'))
      yield { variable, message: 'must be an https:// URL in production' }
}
