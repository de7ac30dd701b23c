import { type NewWebhook, type TenantEventType, tenantEventTypes } from '@quipu/core'
import { type EndpointChange, isSubscribed } from '@quipu/core/adapter'
import { z } from 'zod'
import { integer, members, oneOf, queryMembers, ruleMessage, text } from '../json/fields.ts'
import { parseList } from '../list/filtered-list.ts'
import { type ListRequest, pageParameters } from '../list/list.ts'
import { mapParsed, parse, type Parsed } from '../json/parsed.ts'
import { allTypes, byNameOnly, testType } from './webhook.ts'

/** The URL guard checks the host when the endpoint is registered. */
const url = text(1, 2048).meta({
  description:
    'https on port 443 or 8443, without user info or fragment, on the public internet. Redirects are not followed.',
  examples: ['https://example.com/quipu'],
})

const endpointNote = text(0, 200).meta({ description: 'A note for you.', examples: ['orders backend'] })

const eventsRule = ruleMessage('must be ["*"] or a list of at least one event type')
const events = z
  .array(oneOf([allTypes, ...tenantEventTypes, testType]), { error: eventsRule })
  .min(1)
  .meta({
    description: `The event types that the endpoint receives; \`*\` is every type, also those added later, except ${byNameOnly}, which are sent by name only. \`*\` beside one of these stands for the other types of today. It receives \`webhook.test\` also when that is not listed.`,
    examples: [['*'], ['payout.completed', 'payout.failed']],
  })

/** Null is every type. `webhook.test` is sent on request only, so it is not part of the filter. */
function filterOf(list: z.output<typeof events>): readonly TenantEventType[] | null {
  const named = [...new Set(list)].filter((type) => type !== testType && type !== allTypes)
  if (!list.includes(allTypes)) return named
  const byName = named.filter((type) => !isSubscribed(null, type))
  return byName.length === 0 ? null : [...tenantEventTypes.filter((type) => isSubscribed(null, type)), ...byName]
}

/** The body of `POST /v1/webhooks`. @source spec §4: registered by URL; the rest is assumed */
export const webhookRequest = members({
  url,
  events: events.meta({ default: [allTypes] }).optional(),
  description: endpointNote.optional(),
}).meta({ id: 'WebhookRequest' })

/** Reads the body of `POST /v1/webhooks`. */
export const parseWebhookRequest = (body: unknown): Parsed<NewWebhook> =>
  mapParsed(parse(webhookRequest, body), ({ url, events, description }) => ({
    url,
    events: events ? filterOf(events) : null,
    description: description || null,
  }))

const changes = {
  url: url.optional(),
  events: events.optional(),
  description: endpointNote.meta({ description: 'A note for you. An empty one removes it.' }).optional(),
}

export const webhookPatch = members(changes).meta({ id: 'WebhookPatch', minProperties: 1 })

/** Reads the body of `PATCH /v1/webhooks/{id}`, which has at least one member. */
export function parseWebhookPatch(body: unknown): Parsed<EndpointChange> {
  const patch = mapParsed(parse(webhookPatch, body), ({ url, events, description }) => ({
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events: filterOf(events) }),
    ...(description !== undefined && { description: description || null }),
  }))
  if (!patch.ok || Object.keys(patch.value).length > 0) return patch
  const message = `must have at least one of ${Object.keys(changes).join(', ')}; null is the same as leaving out`
  return { ok: false, issues: [{ field: 'body', message }] }
}

/** How long a rotated secret stays valid, in seconds. */
export const graceSeconds = { max: 7 * 86_400, default: 86_400 } as const

export const rotateSecretRequest = members({
  grace_seconds: integer(0, graceSeconds.max)
    .meta({
      description: 'How long deliveries are signed with the present secret as well.',
      default: graceSeconds.default,
      examples: [3600],
    })
    .optional(),
}).meta({ id: 'RotateSecretRequest' })

/** Reads the body of `POST /v1/webhooks/{id}/rotate-secret`, which may be absent. */
export const parseRotateSecret = (body: unknown): Parsed<{ readonly graceSeconds: number }> =>
  mapParsed(
    parse(rotateSecretRequest, body === undefined ? {} : body),
    ({ grace_seconds: seconds = graceSeconds.default }) => ({ graceSeconds: seconds }),
  )

export const webhookListQuery = queryMembers(pageParameters)

/** Reads the query of `GET /v1/webhooks`. */
export const parseWebhookList = (tenantId: string, search: URLSearchParams | string): Parsed<ListRequest> =>
  parseList(webhookListQuery, ['webhooks', tenantId], search)
