import type { CheckedPage, PageRow } from './checked-page.fixture.ts'
import { controlPages } from './control-pages.fixture.ts'
import { script } from './seed-control.fixture.ts'

const rows: readonly PageRow[] = [
  ['the overview', '/', 'Overview', 'Open faults'],
  ['the search', '/search', 'Search', 'whole id of a record'],
  ['a search that finds a record', ({ paid }) => `/search?q=${paid}`, 'Search', 'order-'],
  ['a search that finds nothing', '/search?q=none', 'Search', 'Nothing has this name'],
  ['the list of payouts', '/payouts', 'Payouts', 'Completed'],
  ['an empty list of payouts', '/payouts?status=failed', 'Payouts', 'No payout matches'],
  ['a completed payout', ({ paid }) => `/payouts/${paid}`, 'Payout', 'Time line'],
  ['a payout that hangs', ({ hanging }) => `/payouts/${hanging}`, 'Payout', 'Work on it'],
  [
    'a payout that hangs, for a viewer',
    ({ hanging }) => `/payouts/${hanging}`,
    'Payout',
    'Needs the role',
    { role: 'viewer' },
  ],
  ['a payout with scripts in its texts', ({ scripted }) => `/payouts/${scripted}`, 'Payout', script],
  ['the reports of this month', '/reports', 'Reports', 'By day'],
  ['the reports of a month without payouts', '/reports?period=2024-02&timezone=UTC', 'Reports', 'No payout ended'],
  ['the balances', '/balances', 'Balances', 'Top-up addresses'],
  ['an address without a page', '/nowhere', 'Page not found', 'no page at this address'],
  ...controlPages,
]

export const checkedPages: readonly CheckedPage[] = rows.map(([name, path, heading, shows, who], at) =>
  Object.assign({ name, path, heading, shows, tags: at % 3 === 0 ? [] : ['long'] }, who),
)
