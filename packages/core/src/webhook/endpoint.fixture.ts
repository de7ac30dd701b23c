import type { WebhookEndpoint } from './endpoint.ts'

export const someEndpoint: WebhookEndpoint = {
  id: 'we_1',
  tenantId: 'ten_1',
  url: 'https://shop.example/hooks',
  events: null,
  description: null,
  status: 'active',
  consecutiveFailures: 0,
  pausedAt: null,
  isPausedByTenant: false,
  operatorPause: null,
  secrets: [],
  createdAt: new Date('2026-11-21T12:00:00.000Z'),
  updatedAt: new Date('2026-11-21T12:00:00.000Z'),
}
