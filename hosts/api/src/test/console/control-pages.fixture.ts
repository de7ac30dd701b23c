import type { CheckedPage } from './checked-page.fixture.ts'
import { script } from './seed-control.fixture.ts'

/** The pages on which operators decide and look things up. */
export const controlPages: readonly CheckedPage[] = [
  { name: 'the list of tenants', path: '/tenants', heading: 'Tenants', shows: script },
  {
    name: 'a tenant with scripts in its texts',
    path: ({ control }) => `/tenants/${control.scriptedTenant.id}`,
    heading: script,
    shows: 'backend',
  },
  {
    name: 'a tenant, for a viewer',
    path: ({ tenant }) => `/tenants/${tenant.id}`,
    heading: 'Ejemplo S.R.L.',
    shows: 'Needs the role admin',
    role: 'viewer',
  },
  {
    name: 'a statement',
    path: ({ tenant }) =>
      `/tenants/${tenant.id}/statements/${new Date().toISOString().slice(0, 10)}`,
    heading: () => `Statement of a day: ${new Date().toISOString().slice(0, 10)}`,
    shows: 'Opening balance',
  },
  { name: 'the list of deposits', path: '/deposits', heading: 'Deposits', shows: 'In review' },
  {
    name: 'a deposit in review',
    path: ({ control }) => `/deposits/${control.reviews[0]}`,
    heading: 'Deposit',
    shows: 'The amount is below the minimum',
  },
  {
    name: 'the list of faucet sends',
    path: '/faucet-sends',
    heading: 'Faucet sends',
    shows: 'Submitted',
  },
  {
    name: 'a faucet send',
    path: ({ control }) => `/faucet-sends/${control.send}`,
    heading: 'Faucet send',
    shows: 'Transaction hash',
  },
  { name: 'the approvals', path: '/proposals', heading: 'Approvals', shows: script },
  {
    name: 'a proposal of another person',
    path: ({ control }) => `/proposals/${control.proposals[0]}`,
    heading: 'Proposal: Adjust a wallet',
    shows: script,
  },
  {
    name: 'an own proposal',
    path: ({ control }) => `/proposals/${control.ownProposal}`,
    heading: 'Proposal: Adjust a wallet',
    shows: 'another person approves it',
  },
  {
    name: 'the list of endpoints',
    path: '/endpoints',
    heading: 'Webhook endpoints',
    shows: 'Failing',
  },
  {
    name: 'a dead endpoint',
    path: ({ control }) => `/endpoints/${control.deadEndpoint}`,
    heading: 'Webhook endpoint',
    shows: script,
  },
  {
    name: 'the list of deliveries, of nothing yet',
    path: '/deliveries',
    heading: 'Deliveries',
    shows: 'Enter the id of a tenant',
  },
  {
    name: 'the deliveries of an endpoint',
    path: ({ control }) => `/deliveries?endpoint_id=${control.deadEndpoint}`,
    heading: 'Deliveries',
    shows: '503 STATUS',
  },
  {
    name: 'a delivery whose receiver answers with a script',
    path: ({ control }) => `/deliveries/${control.deadDelivery}`,
    heading: 'Delivery',
    shows: script,
  },
  { name: 'the list of events', path: '/events', heading: 'Events', shows: 'payout.completed' },
  {
    name: 'an event',
    path: ({ control }) => `/events/${control.event}`,
    heading: 'Event',
    shows: 'event_version',
  },
  {
    name: 'the list of differences',
    path: '/differences',
    heading: 'Differences',
    shows: script,
  },
  {
    name: 'a difference',
    path: ({ control }) => `/differences/${control.difference}`,
    heading: 'Difference',
    shows: script,
  },
  {
    name: 'the reconciliation runs',
    path: '/reconciliation',
    heading: 'Reconciliation',
    shows: 'present balances',
  },
  {
    name: 'a reconciliation run',
    path: ({ control }) => `/reconciliation/${control.run}`,
    heading: 'Reconciliation run',
    shows: 'address 0',
  },
  {
    name: 'the audit log, for an auditor',
    path: '/audit',
    heading: 'Audit log',
    shows: 'tenant.create',
    role: 'auditor',
  },
  { name: 'who and what has access', path: '/access', heading: 'Access', shows: 'olivia' },
  {
    name: 'who and what has access, for a viewer',
    path: '/access',
    heading: 'Access',
    shows: 'The roles auditor and admin',
    role: 'viewer',
  },
]
