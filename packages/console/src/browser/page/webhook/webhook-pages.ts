import type { Page } from '../page.ts'
import { Deliveries } from './deliveries.tsx'
import { Delivery } from './delivery.tsx'
import { Endpoint } from './endpoint.tsx'
import { Endpoints } from './endpoints.tsx'
import { Event, Events } from './events.tsx'
import { deliveryTexts, endpointTexts, eventTexts } from './webhook-texts.ts'

export const webhookPages: readonly Page[] = [
  { path: '/endpoints', title: endpointTexts.title, component: Endpoints, group: 'tenants' },
  { path: '/endpoints/:id', title: endpointTexts.one, component: Endpoint, within: '/endpoints' },
  { path: '/deliveries', title: deliveryTexts.title, component: Deliveries, group: 'tenants' },
  { path: '/deliveries/:id', title: deliveryTexts.one, component: Delivery, within: '/deliveries' },
  { path: '/events', title: eventTexts.title, component: Events, group: 'tenants' },
  { path: '/events/:id', title: eventTexts.one, component: Event, within: '/events' },
]
