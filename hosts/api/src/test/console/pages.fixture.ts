import type { CheckedPage } from './checked-page.fixture.ts'
import { controlPages } from './control-pages.fixture.ts'
import { script } from './seed-control.fixture.ts'

export const checkedPages: readonly CheckedPage[] = [
  { name: 'the overview', path: '/', heading: 'Overview', shows: 'Open faults' },
  { name: 'the search', path: '/search', heading: 'Search', shows: 'whole id of a record' },
  { name: 'a search that finds a record', path: ({ paid }) => `/search?q=${paid}`, heading: 'Search', shows: 'order-' },
  { name: 'a search that finds nothing', path: '/search?q=none', heading: 'Search', shows: 'exactly this name' },
  { name: 'the list of payouts', path: '/payouts', heading: 'Payouts', shows: 'Completed' },
  { name: 'an empty list of payouts', path: '/payouts?status=failed', heading: 'Payouts', shows: 'No payout matches' },
  { name: 'a completed payout', path: ({ paid }) => `/payouts/${paid}`, heading: 'Payout', shows: 'Time line' },
  { name: 'a payout that hangs', path: ({ hanging }) => `/payouts/${hanging}`, heading: 'Payout', shows: 'Work on it' },
  {
    name: 'a payout that hangs, for a viewer',
    path: ({ hanging }) => `/payouts/${hanging}`,
    heading: 'Payout',
    shows: 'Needs the role',
    role: 'viewer',
  },
  {
    name: 'a payout with scripts in its texts',
    path: ({ scripted }) => `/payouts/${scripted}`,
    heading: 'Payout',
    shows: script,
  },
  { name: 'an address without a page', path: '/nowhere', heading: 'Page not found', shows: 'no page at this address' },
  ...controlPages,
]
