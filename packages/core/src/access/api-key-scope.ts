/** Rights of an API key. @source spec §5 names the first three; the others are assumed */
export const apiKeyScopes = [
  'payouts:write',
  'payouts:read',
  'wallet:write',
  'wallet:read',
  'webhooks:read',
  'webhooks:write',
  'keys:read',
  'keys:write',
] as const
/** One permission of an API key. */
export type ApiKeyScope = (typeof apiKeyScopes)[number]
