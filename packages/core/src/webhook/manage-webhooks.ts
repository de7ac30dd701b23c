import { type Ids, type RandomBytes } from '../ids.ts'
import { alwaysAllowed, type StillAllowed } from '../api-key/authenticate.ts'
import type { Clock } from '../time.ts'
import {
  type EncryptedSecret,
  type EndpointPolicy,
  endpointPolicyShape,
  rotateSecrets,
  secretContext,
  shownSecrets,
  type WebhookEndpoint,
} from './endpoint.ts'
import type { EndpointChange, WebhookStore } from './ports.ts'
import type { SecretBox } from './secret-box.ts'
import type { WebhookUrlGuard } from './sender.ts'
import { checkSettings } from '../check-settings.ts'

/** The ports of `manageWebhooks`. */
export type ManageWebhooksPorts = {
  readonly webhooks: Pick<WebhookStore, 'insert' | 'update' | 'rotate' | 'get'>
  readonly urlGuard: WebhookUrlGuard
  readonly secretBox: SecretBox
  readonly ids: Ids
  readonly random: RandomBytes
  readonly now: Clock
}

/** The members of a new endpoint that a tenant chooses. */
export type NewWebhook = Pick<WebhookEndpoint, 'url' | 'events' | 'description'>

type RefusalCode =
  | 'not_found'
  | 'limit_reached'
  | 'too_many_secrets'
  /** The caller's permission ended while the URL was checked. */
  | 'not_allowed'

/** Why nothing was written. */
export type WebhookRefusal =
  /** `reason` ends a sentence that begins with `url`. */
  | { readonly type: 'refused'; readonly code: 'url_not_allowed'; readonly reason: string }
  | { readonly type: 'refused'; readonly code: RefusalCode }

/** An endpoint with a new signing secret, which is answered only here. */
export type EndpointWithSecret = {
  readonly type: 'done'
  readonly endpoint: WebhookEndpoint
  /** `whsec_…`; the key is the whole text. */
  readonly secret: string
}

/** A tenant's actions on its endpoints that need more than one call of the store. */
export type ManageWebhooks = {
  /** The fault of a URL, as the end of a sentence that begins with the field's name; null when it may be registered. */
  urlFault(url: string): Promise<string | null>
  create(tenantId: string, input: NewWebhook, stillAllowed?: StillAllowed): Promise<EndpointWithSecret | WebhookRefusal>
  update(
    tenantId: string,
    id: string,
    change: EndpointChange,
    stillAllowed?: StillAllowed,
  ): Promise<{ readonly type: 'done'; readonly endpoint: WebhookEndpoint } | WebhookRefusal>
  /**
   * The previous secret stays valid for the grace period; 0 ends every older one. Stored secrets that do not decrypt
   * are dropped.
   */
  rotateSecret(tenantId: string, id: string, graceSeconds: number): Promise<EndpointWithSecret | WebhookRefusal>
}

/**
 * Registers and changes webhook endpoints. Every method throws `Unavailable` when the store cannot be reached.
 *
 * @source spec §5 Webhook secrets, §6; secrets, limits and grace are assumed
 * @example
 * ```ts
 * const webhooks = manageWebhooks(ports, defaultEndpointPolicy)
 * const url = 'https://hooks.example/quipu'
 * const created = await webhooks.create(tenant.id, { url, events: null, description: null })
 * if (created.type === 'refused') throw new Error(created.code)
 * const rotated = await webhooks.rotateSecret(tenant.id, created.endpoint.id, 3600)
 * console.log(rotated.type, rotated.type === 'done' && rotated.secret !== created.secret) // done true
 * ```
 */
export function manageWebhooks(ports: ManageWebhooksPorts, policy: EndpointPolicy): ManageWebhooks {
  checkSettings('manageWebhooks', policy, endpointPolicyShape)
  return {
    urlFault: (url) => ports.urlGuard.check(url),

    async create(tenantId, input, stillAllowed = alwaysAllowed) {
      const reason = await ports.urlGuard.check(input.url)
      if (reason !== null) return { type: 'refused', code: 'url_not_allowed', reason }
      if (!(await stillAllowed())) return refuse('not_allowed')
      const at = ports.now()
      const id = ports.ids.next('we', at)
      const { secret, encrypted } = newSecret(ports, id, at)
      const secrets = [{ ...encrypted, expiresAt: null }]
      const endpoint: WebhookEndpoint = {
        id,
        tenantId,
        ...input,
        status: 'active',
        consecutiveFailures: 0,
        pausedAt: null,
        isPausedByTenant: false,
        operatorPause: null,
        secrets: shownSecrets(secrets),
        createdAt: at,
        updatedAt: at,
      }
      const written = await ports.webhooks.insert({ endpoint, secrets }, policy)
      return written === 'committed' ? { type: 'done', endpoint, secret } : refuse(written)
    },

    async update(tenantId, id, change, stillAllowed = alwaysAllowed) {
      const reason = change.url === undefined ? null : await ports.urlGuard.check(change.url)
      if (reason !== null) return { type: 'refused', code: 'url_not_allowed', reason }
      if (!(await stillAllowed())) return refuse('not_allowed')
      const endpoint = await ports.webhooks.update(tenantId, id, change, ports.now())
      return endpoint ? { type: 'done', endpoint } : refuse('not_found')
    },

    async rotateSecret(tenantId, id, graceSeconds) {
      const at = ports.now()
      const { secret, encrypted } = newSecret(ports, id, at)
      const written = await ports.webhooks.rotate(tenantId, id, at, (secrets) =>
        rotateSecrets(secrets, encrypted, { graceSeconds, policy }, renewal(ports.secretBox, id)),
      )
      if (written === 'refused') return refuse('too_many_secrets')
      const stored = written === 'committed' ? await ports.webhooks.get(tenantId, id) : undefined
      return stored ? { type: 'done', endpoint: stored.endpoint, secret } : refuse('not_found')
    },
  }
}

const secretBytes = 32

function newSecret(
  { random, secretBox }: Pick<ManageWebhooksPorts, 'random' | 'secretBox'>,
  endpointId: string,
  createdAt: Date,
): { readonly secret: string; readonly encrypted: Omit<EncryptedSecret, 'expiresAt'> } {
  const digits = Array.from(random(secretBytes), (byte) => byte.toString(16).padStart(2, '0'))
  const secret = `whsec_${digits.join('')}`
  const ciphertext = secretBox.encrypt(secret, secretContext(endpointId, null))
  return { secret, encrypted: { ciphertext, lastFour: secret.slice(-4), createdAt } }
}

/** Encrypts a stored secret for another expiry; undefined for one that does not decrypt. */
const renewal =
  (secretBox: SecretBox, endpointId: string) =>
  ({ ciphertext, expiresAt }: EncryptedSecret, newExpiry: Date): string | undefined => {
    const secret = secretBox.decrypt(ciphertext, secretContext(endpointId, expiresAt))
    return secret === undefined ? undefined : secretBox.encrypt(secret, secretContext(endpointId, newExpiry))
  }

const refuse = (code: RefusalCode): WebhookRefusal => ({ type: 'refused', code })
