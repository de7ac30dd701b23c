import { type OperatorRole, personPattern } from '@quipu/core/operator'
import * as client from 'openid-client'
import type { OidcClient } from '../../settings/sign-in-settings.ts'

/** Kept by the browser that began a sign-in, and by nobody else. */
export type Begun = { readonly state: string; readonly nonce: string; readonly verifier: string }

/** Why a sign-in ended without a session. */
export type SignInProblem =
  /** The provider does not answer. */
  | 'unreachable'
  /** The person, or the provider, has refused. */
  | 'denied'
  /** The answer is not this provider's, of this browser's request, for this client, or of this time. */
  | 'refused'
  /** No group of the person has a role. */
  | 'no_role'
  /** No claim is a name that a person can have. */
  | 'no_name'

/** Who has signed in at the provider. */
export type NamedPerson = { readonly person: string; readonly role: OperatorRole }

/** The OpenID provider. */
export type OidcProvider = {
  /** @throws SignInFailed `unreachable` */
  begin(): Promise<Begun & { readonly url: string }>
  /**
   * Exchanges the code of a callback.
   *
   * @param search  of the callback's URL
   * @throws SignInFailed
   */
  finish(search: string, begun: Begun): Promise<NamedPerson>
  /** Where the provider's own session is ended; undefined: nowhere. */
  endUrl(): Promise<string | undefined>
}

/** A sign-in that opened no session. */
export class SignInFailed extends Error {
  override readonly name = 'SignInFailed'
  readonly problem: SignInProblem

  constructor(problem: SignInProblem, options?: ErrorOptions) {
    super(`the sign-in failed: ${problem}`, options)
    this.problem = problem
  }
}

/** The path of the callback, on the operator listener. */
export const callbackPath = '/operator/v1/sign-in/callback'

/** Seconds that the clocks of provider and API may differ. */
const toleranceSeconds = 30
const timeoutSeconds = 10

/**
 * Authorization code with PKCE, state and nonce (OpenID Connect Core 1.0, RFC 7636). The ID token's signature is verified by
 * the provider's keys, also where it comes over TLS from the provider itself.
 */
export function oidcProvider(settings: OidcClient): OidcProvider {
  const redirectUri = settings.consoleUrl + callbackPath
  let found: Promise<client.Configuration> | undefined
  // A provider that did not answer is tried again by the next sign-in.
  const configuration = (): Promise<client.Configuration> =>
    (found ??= discover(settings).catch((cause: unknown) => {
      found = undefined
      throw new SignInFailed('unreachable', { cause })
    }))
  return {
    begin: async () => {
      const config = await configuration()
      const begun = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      }
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: settings.scope,
        state: begun.state,
        nonce: begun.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(begun.verifier),
        code_challenge_method: 'S256',
      })
      return { ...begun, url: url.href }
    },
    finish: async (search, { state, nonce, verifier }) => {
      const config = await configuration()
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
      try {
        const tokens = await client.authorizationCodeGrant(config, new URL(`${redirectUri}?${search}`), checks)
        const claims = tokens.claims() ?? { sub: '' }
        const isComplete = settings.groupsClaim in claims && settings.personClaim in claims
        const more = isComplete ? {} : await userInfo(config, tokens.access_token, claims.sub)
        return personOf({ ...more, ...claims }, settings)
      } catch (cause) {
        throw cause instanceof SignInFailed ? cause : new SignInFailed(problemOf(cause), { cause })
      }
    },
    endUrl: async () => {
      if (!settings.endsProviderSession) return undefined
      const config = await configuration()
      if (config.serverMetadata().end_session_endpoint === undefined) return undefined
      return client.buildEndSessionUrl(config, { post_logout_redirect_uri: `${settings.consoleUrl}/console` }).href
    },
  }
}

async function discover({ issuer, clientId, clientSecret }: OidcClient): Promise<client.Configuration> {
  const isPlain = issuer.startsWith('http:') // Refused in production.
  const metadata = { client_secret: clientSecret, [client.clockTolerance]: toleranceSeconds }
  const config = await client.discovery(new URL(issuer), clientId, metadata, client.ClientSecretBasic(clientSecret), {
    execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
    timeout: timeoutSeconds,
  })
  return config
}

async function userInfo(config: client.Configuration, token: string, subject: string): Promise<object> {
  return config.serverMetadata().userinfo_endpoint === undefined ? {} : client.fetchUserInfo(config, token, subject)
}

function problemOf(error: unknown): SignInProblem {
  if (error instanceof client.AuthorizationResponseError) return 'denied'
  const isAway = error instanceof TypeError || (error instanceof client.ClientError && error.code === 'OAUTH_TIMEOUT')
  return isAway ? 'unreachable' : 'refused'
}

/** @throws SignInFailed `no_name` or `no_role` */
function personOf(claims: Readonly<Record<string, unknown>>, settings: OidcClient): NamedPerson {
  const { personClaim, groupsClaim, roles } = settings
  const named = claims[personClaim]
  const person = typeof named === 'string' ? named.toLowerCase() : ''
  const isUnverified = personClaim === 'email' && claims['email_verified'] !== true
  if (!personPattern.test(person) || isUnverified) throw new SignInFailed('no_name')
  const groups = [claims[groupsClaim]].flat()
  const role = roles.find(({ group }) => groups.includes(group))?.role
  if (role === undefined) throw new SignInFailed('no_role')
  return { person, role }
}
