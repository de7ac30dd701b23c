import type { Ids, RandomBytes } from '../ids.ts'
import { alwaysAllowed, type StillAllowed } from '../tenant/authenticate.ts'
import type { Clock } from '../time.ts'
import {
  type EndpointPolicy,
  rotateSecrets,
  type EncryptedSecret,
  secretContext,
  type WebhookEndpoint,
} from './endpoint.ts'
import type { EndpointChange, WebhookStore } from './ports.ts'
import type { SecretBox } from './secret-box.ts'
import type { WebhookUrlGuard } from './sender.ts'

export type ManageWebhooksPorts = {
  readonly webhooks: Pick<WebhookStore, 'insert' | 'update' | 'rotate' | 'get'>
  readonly urlGuard: WebhookUrlGuard
  readonly secretBox: SecretBox
  readonly ids: Ids
  readonly random: RandomBytes
  readonly now: Clock
}

export type NewWebhook = Pick<WebhookEndpoint, 'url' | 'events' | 'description'>

type RefusalCode =
  | 'not_found'
  | 'limit_reached'
  | 'too_many_secrets'
  /** The caller was no longer allowed once the URL had been checked. */
  | 'not_allowed'

export type WebhookRefusal =
  /** `reason` ends a sentence that begins with `url`. */
  | { readonly type: 'refused'; readonly code: 'url_not_allowed'; readonly reason: string }
  | {
      readonly type: 'refused'
      readonly code: RefusalCode
    }

/** An endpoint with a new signing secret, which is shown here and never again. */
export type EndpointWithSecret = {
  readonly type: 'done'
  readonly endpoint: WebhookEndpoint
  /** `whsec_…`; all of it is the key. */
  readonly secret: string
}

/** What a tenant does to its endpoints, apart from what is a single write. */
export type ManageWebhooks = {
  create(
    tenantId: string,
    input: NewWebhook,
    stillAllowed?: StillAllowed,
  ): Promise<EndpointWithSecret | WebhookRefusal>
  update(
    tenantId: string,
    id: string,
    change: EndpointChange,
    stillAllowed?: StillAllowed,
  ): Promise<{ readonly type: 'done'; readonly endpoint: WebhookEndpoint } | WebhookRefusal>
  /** The secret until now stays valid for the grace. Stored secrets that do not decrypt are dropped. */
  rotateSecret(
    tenantId: string,
    id: string,
    graceSeconds: number,
  ): Promise<EndpointWithSecret | WebhookRefusal>
}

/** @source spec §5 Webhook secrets, §6; secrets, limits and grace are assumed */
export const manageWebhooks = (
  ports: ManageWebhooksPorts,
  policy: EndpointPolicy,
): ManageWebhooks => ({
  async create(tenantId, input, stillAllowed = alwaysAllowed) {
    const reason = await ports.urlGuard.check(input.url)
    if (reason !== null) return { type: 'refused', code: 'url_not_allowed', reason }
    if (!(await stillAllowed())) return refuse('not_allowed')
    const at = ports.now()
    const id = ports.ids.next('we', at)
    const endpoint: WebhookEndpoint = {
      id,
      tenantId,
      ...input,
      status: 'active',
      consecutiveFailures: 0,
      pausedAt: null,
      createdAt: at,
      updatedAt: at,
    }
    const { secret, sealed } = newSecret(ports, id, at)
    const secrets = [{ ...sealed, expiresAt: null }]
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
    const { secret, sealed } = newSecret(ports, id, at)
    const written = await ports.webhooks.rotate(tenantId, id, at, (secrets) =>
      rotateSecrets(secrets, sealed, { graceSeconds, policy }, renewal(ports.secretBox, id)),
    )
    if (written === 'refused') return refuse('too_many_secrets')
    const stored = written === 'committed' ? await ports.webhooks.get(tenantId, id) : undefined
    return stored ? { type: 'done', endpoint: stored.endpoint, secret } : refuse('not_found')
  },
})

const secretBytes = 32

function newSecret(
  { random, secretBox }: Pick<ManageWebhooksPorts, 'random' | 'secretBox'>,
  endpointId: string,
  createdAt: Date,
): { readonly secret: string; readonly sealed: Omit<EncryptedSecret, 'expiresAt'> } {
  const digits = Array.from(random(secretBytes), (byte) => byte.toString(16).padStart(2, '0'))
  const secret = `whsec_${digits.join('')}`
  const ciphertext = secretBox.encrypt(secret, secretContext(endpointId, null))
  return { secret, sealed: { ciphertext, createdAt } }
}

/** Encrypts stored secrets of an endpoint for another expiry; undefined for one that does not decrypt. */
const renewal =
  (secretBox: SecretBox, endpointId: string) =>
  ({ ciphertext, expiresAt }: EncryptedSecret, newExpiry: Date): string | undefined => {
    const secret = secretBox.decrypt(ciphertext, secretContext(endpointId, expiresAt))
    return secret === undefined
      ? undefined
      : secretBox.encrypt(secret, secretContext(endpointId, newExpiry))
  }

const refuse = (code: RefusalCode): WebhookRefusal => ({
  type: 'refused',
  code,
})
